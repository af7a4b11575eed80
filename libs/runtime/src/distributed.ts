import { operatorSources } from '@tender/adapter-outbound';
import {
  hmacSeal,
  httpCalls,
  serviceClient,
  type RemoteCalls,
  type ServiceClient,
} from '@tender/adapter-internal-http';
import type { KafkaRelay, Speaker } from '@tender/adapter-kafka';
import {
  consumerRecords,
  databasePulse,
  postgresLeases,
  realDelays,
  settableRates,
  sharedPostgresEventStore,
  type Cuttable,
} from '@tender/adapter-postgres';
import {
  inProcessCalls,
  systemClock,
  systemRandom,
  type InProcessCalls,
  type SystemClock,
} from '@tender/adapter-system';
import {
  measuredPorts,
  type Context,
  type Delays,
  type EventStore,
  type InternalSeal,
  type Leases,
  type Log,
  type ReadModels,
  type Runtime,
  type SettableRates,
  type Telemetry,
} from '@tender/eventing';
import type { Clock } from '@tender/kernel';
import { openChains, openKeyRing } from './keys-and-chains';
import { openMail } from './open-mail';
import { openTables, type Closer, type Decorate, type Faultable, type Tables } from './open-tables';
import { answerForRelay, askRelays } from './service/ask-relays';
import { tellTakenOver } from './service/tell-taken-over';
import { openSignersOf } from './signers/open-signers';
import type { ServiceSettings } from './settings/service-settings';

export interface DistributedRuntime extends Runtime {
  readonly clock: SystemClock;
  readonly rates: SettableRates;
  readonly calls: RemoteCalls;
  /** What this process answers itself. */
  readonly local_calls: InProcessCalls;
  readonly seal: InternalSeal;
  readonly clients: ReadonlyMap<string, ServiceClient>;
  readonly relay: KafkaRelay;
  readonly leases: Leases;
  readonly standing: Standing;
  /** The read models, for what only a leader follows. */
  readonly leaderTables: ReadModels;
  readonly delays: Delays;
  /** Ends what this started, in the reverse order. */
  close(): Promise<void>;
}

export type { Speaker };

/** Whether this replica leads its service; `leadService` writes it down here. */
export interface Standing {
  leads: boolean;
  /** Another process has taken what goes with the lease. */
  takenOver: () => void;
}

/** What lives in one process of the program. */
export interface ProcessParts {
  readonly contexts: readonly Context[];
  /** Tables beside those of the contexts. */
  readonly tables: readonly Tables[];
  /** Whose public events there are to hear. */
  readonly speakers: readonly Speaker[];
  /** The service that hosts the context of that name. */
  readonly hostOf: (context: string) => string;
}

/** What hears of what happens in the process. */
export interface Observers {
  readonly log: Log;
  readonly telemetry: Telemetry;
}

/**
 * An event may be in the store this long after the time that it carries, and the chain indexer ends no payment
 * sooner: the same in every process, and no longer than a healthy store needs.
 */
const HOW_LATE = { append_timeout_ms: 2_000, late_ms: 1_000 };

/** A quote asks the database no more often; setting a rate takes as long, so that no other is quoted after it. */
const RATES_KEPT_MS = 250;

/**
 * Fills every port for one service among others: the log that all share, the bus through Kafka, questions
 * over HTTP, keys in the folder that all share.
 */
export async function distributed(
  hosted: ProcessParts,
  settings: ServiceSettings,
  { log, telemetry }: Observers,
  decorate?: Decorate,
): Promise<DistributedRuntime> {
  const closers: Closer[] = [];
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    const clock = systemClock();
    const store = await openLog(settings, clock, log);
    await store.start();
    closers.push(() => store.close());
    const chains = openChains({ ...settings, clock, log }, closers);

    const { parts, tables } = await openTables(
      {
        ...{ ...hosted, log, telemetry, eventStore: store, chains },
        connectionString: settings.database_url,
        log_place: settings.eventstore_url === null ? 'postgres' : 'eventstore',
        webhook_allow_loopback: settings.webhook_allow_loopback,
      },
      closers,
      decorate,
    );
    const pulse = databasePulse({
      ...{ connectionString: settings.database_url, log },
      cuttable: store.cutOff ? [tables, store as Cuttable] : [tables],
    });
    closers.push(() => pulse.close());
    const ports = await between(hosted, settings, { ...parts, clock, log, telemetry }, closers);
    return {
      ...parts,
      ...ports,
      keyRing: openKeyRing({ ...settings, ...parts, clock }, closers),
      rates: settableRates({ readModels: parts.readModels, clock, kept_ms: RATES_KEPT_MS }),
      sources: operatorSources(clock),
      signers: await openSignersOf(settings.signers, log, closers),
      mail: await openMail(settings.mail, clock, closers),
      clock,
      random: systemRandom(),
      log,
      telemetry,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

type OpenLog = EventStore & { start(): Promise<void>; close(): Promise<void> } & Partial<Cuttable>;

/** Loaded only where it is needed, here and below: the embedded run would pay its memory. */
async function openLog(
  { eventstore_url, database_url }: ServiceSettings,
  clock: Clock,
  log: Log,
): Promise<OpenLog> {
  if (eventstore_url === null) {
    return sharedPostgresEventStore({ connectionString: database_url, clock, log });
  }
  const { eventStoreDb } = await import('@tender/adapter-eventstoredb');
  return eventStoreDb({ connectionString: eventstore_url, clock, log, ...HOW_LATE });
}

/** What lies between this process and the others: Kafka, signed HTTP, the lease. */
async function between(
  { contexts, speakers, hostOf }: ProcessParts,
  settings: ServiceSettings,
  parts: Faultable & Observers & { readonly clock: SystemClock },
  closers: Closer[],
) {
  const { readModels, clock, log } = parts;
  const { kafkaBus, kafkaRelay } = await import('@tender/adapter-kafka');
  const seal = hmacSeal({ secret: settings.internal_secret, clock });
  const clients = new Map<string, ServiceClient>();
  for (const [service, urls] of settings.services) {
    const client = serviceClient({ service, urls, seal, delays: realDelays });
    clients.set(service, client);
    closers.push(() => client.close());
  }
  const local_calls = inProcessCalls(realDelays);
  const standing: Standing = { leads: false, takenOver: () => undefined };
  const leaderTables = tellTakenOver(readModels, () => standing.takenOver());
  const leads = (): boolean => standing.leads;
  const remote = httpCalls({ local: local_calls, leads, services: clients, hostOf });
  const { kafka_brokers: brokers, kafka_security: security, kafka_namespace: namespace } = settings;
  const kafka = { brokers, security, namespace, clock, delays: realDelays, log };
  const kafkaConsumers = kafkaBus({
    ...kafka,
    speakers,
    recordsOf: consumerRecords(readModels, contexts),
    eventStore: parts.eventStore,
    askProgress: (...asked) => askRelays(calls)(...asked),
  });
  closers.push(() => kafkaConsumers.close());
  const measured = measuredPorts({ ...parts, bus: kafkaConsumers, calls: remote, contexts });
  const { eventStore, bus } = measured;
  const calls: RemoteCalls = { ...measured.calls, askEach: remote.askEach };
  const relay = kafkaRelay({ ...kafka, contexts, eventStore, readModels: leaderTables });
  closers.push(() => relay.stop());
  answerForRelay(local_calls, relay, contexts);
  const [{ schema }] = contexts as [Context];
  const leases = postgresLeases({ connectionString: settings.database_url, schema, log });
  closers.push(() => leases.close());
  const own = { seal, clients, local_calls, calls, leases, standing, leaderTables };
  return { eventStore, bus, relay, delays: realDelays, ...own };
}
