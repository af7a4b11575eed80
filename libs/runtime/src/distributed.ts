import path from 'node:path';
import { eventStoreDb } from '@tender/adapter-eventstoredb';
import {
  hmacSeal,
  httpCalls,
  serviceClient,
  type RemoteCalls,
  type ServiceClient,
} from '@tender/adapter-internal-http';
import { kafkaBus, kafkaRelay, type KafkaRelay } from '@tender/adapter-kafka';
import { guardedOutbound } from '@tender/adapter-outbound';
import {
  consumerRecords,
  keyRingTables,
  postgresLeases,
  postgresReadModels,
  postgresSubjectKeys,
  ratesTables,
  realDelays,
  settableRates,
  sharedPostgresEventStore,
} from '@tender/adapter-postgres';
import {
  fileKeyRing,
  inProcessCalls,
  systemClock,
  systemRandom,
  type InProcessCalls,
  type SystemClock,
} from '@tender/adapter-system';
import type {
  Context,
  EventStore,
  InternalSeal,
  Leases,
  Log,
  Runtime,
  SettableRates,
} from '@tender/eventing';
import type { Clock, Mode } from '@tender/kernel';
import { modeChain } from './chain-settings';
import type { Faultable, Tables } from './embedded';
import { SERVICE_URLS, type ServiceName, type ServiceSettings } from './settings/service-settings';

/** A bounded context that speaks in public, as its listeners need to know it: names and modes of its topics. */
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
  /** Ends what this started, in the reverse order. */
  close(): Promise<void>;
}

type Closer = () => Promise<void> | void;

/**
 * Fills every port for one service among others: the log that all share, the bus through Kafka, questions
 * over HTTP, keys in the folder that all share. `contexts` are those of this process.
 */
export async function distributed(
  name: string,
  settings: ServiceSettings,
  contexts: readonly Context[],
  tables: readonly Tables[],
  log: Log,
  decorate: (parts: Faultable) => Faultable = (parts) => parts,
): Promise<DistributedRuntime> {
  const closers: Closer[] = [];
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    const clock = systemClock();
    const store = openLog(settings, clock, log);
    await store.start();
    closers.push(() => store.close());

    const owners = [keyRingTables, ratesTables, ...tables, ...contexts];
    const readModelTables = postgresReadModels({
      connectionString: settings.database_url,
      schemas: owners.map(({ schema }) => schema),
      migrations: owners.flatMap(({ migrations }) => migrations),
      entities: owners.flatMap(({ entities }) => entities),
      isBefore: (position, other) => store.isBefore(position, other),
      log,
    });
    await readModelTables.start();
    closers.push(() => readModelTables.close());
    const guarded = guardedOutbound({ allowLoopback: settings.webhook_allow_loopback, log });
    closers.push(() => guarded.close());
    const parts = decorate({ eventStore: store, readModels: readModelTables, outbound: guarded });

    const ports = await between(name, settings, contexts, { ...parts, clock, log }, closers);
    const keyRing = fileKeyRing({
      dir: path.join(settings.data_dir, 'keys'),
      masterKey: settings.master_key ?? undefined,
      clock,
      subjectKeys: postgresSubjectKeys(parts.readModels),
    });
    closers.push(() => keyRing.close());
    const chainOf = (mode: Mode) => {
      const chain = modeChain(mode, settings.chains[mode], clock, log);
      closers.push(() => chain.close());
      return chain;
    };
    return {
      ...parts,
      ...ports,
      chains: { test: chainOf('test'), live: chainOf('live') },
      rates: settableRates({ readModels: parts.readModels, clock }),
      keyRing,
      clock,
      random: systemRandom(),
      log,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function openLog(
  { eventstore_url, database_url }: ServiceSettings,
  clock: Clock,
  log: Log,
): EventStore & { start(): Promise<void>; close(): Promise<void> } {
  return eventstore_url === null
    ? sharedPostgresEventStore({ connectionString: database_url, clock, log })
    : eventStoreDb({ connectionString: eventstore_url, clock, log });
}

/** What lies between this process and the others: Kafka, signed HTTP, the lease. */
async function between(
  name: string,
  settings: ServiceSettings,
  contexts: readonly Context[],
  parts: Faultable & { readonly clock: SystemClock; readonly log: Log },
  closers: Closer[],
) {
  const { eventStore, readModels, clock, log } = parts;
  const kafka = { brokers: settings.kafka_brokers, clock, log };
  const bus = kafkaBus({
    ...kafka,
    recordsOf: consumerRecords(readModels, contexts),
    isBefore: (position, other) => eventStore.isBefore(position, other),
    delays: realDelays,
  });
  closers.push(() => bus.close());
  const relay = kafkaRelay({ ...kafka, contexts, eventStore, readModels });
  closers.push(() => relay.stop());

  const seal = hmacSeal({ secret: settings.internal_secret, clock });
  const clients = new Map<string, ServiceClient>();
  for (const service of Object.keys(SERVICE_URLS) as ServiceName[]) {
    if (service === name) continue;
    const client = serviceClient({ service, urls: settings.services[service], seal });
    clients.set(service, client);
    closers.push(() => client.close());
  }
  const local_calls = inProcessCalls();
  const calls = httpCalls({ local: local_calls, services: clients });
  const [{ schema }] = contexts as [Context];
  const leases = postgresLeases({ readModels, schema, clock, log, delays: realDelays });
  return { bus, relay, seal, clients, local_calls, calls, leases };
}
