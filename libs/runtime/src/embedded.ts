import {
  databasePulse,
  embeddedBus,
  postgresEventStore,
  realDelays,
  settableRates,
  type Cuttable,
  type LoneEventStore,
} from '@tender/adapter-postgres';
import { operatorSources } from '@tender/adapter-outbound';
import { startPostgres, type PostgresOptions } from '@tender/adapter-postgres-server';
import {
  inProcessCalls,
  systemClock,
  systemRandom,
  type InProcessCalls,
  type SystemClock,
} from '@tender/adapter-system';
import {
  measuredPorts,
  type Calls,
  type Context,
  type EventStore,
  type Keep,
  type Log,
  type Mail,
  type Runtime,
  type SettableRates,
  type Telemetry,
} from '@tender/eventing';
import type { Clock, Mode } from '@tender/kernel';
import type { ChainSettings } from './chain-settings';
import { openChains, openKeyRing } from './keys-and-chains';
import { openMail } from './open-mail';
import { openTables, type Closer, type Decorate, type Tables } from './open-tables';
import type { MailWay } from './settings/mail-settings';
import type { SignerSettings } from './settings/signer-settings';
import { openSignersOf } from './signers/open-signers';

export interface EmbeddedSettings<Opened extends OpenLog = OpenLog> {
  readonly data_dir: string;
  readonly master_key: string | null;
  readonly webhook_allow_loopback: boolean;
  /** An inbox is this process's own unless it is given. */
  readonly mail: MailWay | Mail;
  /** Of operating wallets; null: there are none. */
  readonly signers: SignerSettings | null;
  /** Resolves once the signers are serving; called before they are first asked. */
  readonly awakenSigners: () => Promise<void>;
  /** Called first. */
  readonly openLog: (clock: SystemClock, closers: Closer[]) => Promise<Opened>;
  /** Called once the log is open: the data folder is ours. */
  readonly chains: (
    clock: SystemClock,
    opened: Opened,
  ) => Promise<Readonly<Record<Mode, ChainSettings>>>;
  /** Questions between contexts; of this thread alone unless told. */
  readonly calls?: (local: InProcessCalls) => Calls;
  /** Where another thread sets rates: how long this one goes by what it has read. */
  readonly rates_kept_ms?: number;
  readonly log: Log;
  readonly telemetry: Telemetry;
}

/** The log, and the database that it lies in. */
export interface OpenLog<Store extends EventStore & Cuttable = EventStore & Cuttable> {
  readonly connection_string: string;
  readonly eventLog: Store;
}

/** The log that this process writes alone. */
export type OwnLog = OpenLog<LoneEventStore>;

export interface EmbeddedRuntime extends Runtime {
  readonly clock: SystemClock;
  readonly local_calls: InProcessCalls;
  readonly rates: SettableRates;
  readonly connection_string: string;
  /** Ends what this started, in the reverse order. */
  close(): Promise<void>;
}

/**
 * Fills every port for one process: a Postgres in the data folder (or the given one), the bus over its
 * log, keys in files. `decorate` puts something between the program and its ports.
 */
export async function embedded<Opened extends OpenLog>(
  settings: EmbeddedSettings<Opened>,
  contexts: readonly Context[],
  tables: readonly Tables[],
  decorate?: Decorate,
): Promise<EmbeddedRuntime> {
  const { log, telemetry } = settings;
  const closers: Closer[] = [];
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    const clock = systemClock();
    const opened_log = await settings.openLog(clock, closers);
    const { connection_string: connectionString, eventLog } = opened_log;
    const chain_settings = await settings.chains(clock, opened_log);
    const chains = openChains({ chains: chain_settings, clock, log }, closers);
    const opened = { connectionString, eventStore: eventLog, chains };
    const { parts, tables: readModels } = await openTables(
      { ...settings, ...opened, log_place: 'alone', contexts, tables },
      closers,
      decorate,
    );
    const pulse = databasePulse({ connectionString, log, cuttable: [readModels, eventLog] });
    closers.push(() => pulse.close());
    const bus = embeddedBus({ ...parts, contexts, clock, log });
    closers.push(() => bus.close());
    const local_calls = inProcessCalls(realDelays);
    const calls = settings.calls?.(local_calls) ?? local_calls;
    const kept = settings.rates_kept_ms ? { kept_ms: settings.rates_kept_ms } : {};
    return {
      ...parts,
      ...measuredPorts({ ...parts, bus, calls, contexts, telemetry, clock }),
      keyRing: openKeyRing({ ...settings, ...parts, clock }, closers),
      rates: settableRates({ readModels: parts.readModels, clock, ...kept }),
      sources: operatorSources(clock),
      signers: await openSignersOf(settings.signers, log, closers, settings.awakenSigners),
      mail: isMail(settings.mail) ? settings.mail : await openMail(settings.mail, clock, closers),
      clock,
      local_calls,
      random: systemRandom(),
      log,
      telemetry,
      connection_string: connectionString,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

const isMail = (way: MailWay | Mail): way is Mail => typeof way === 'object' && 'inbox' in way;

export interface OwnLogOptions {
  readonly data_dir: string;
  readonly database_url: string | null;
  /** Whom the Postgres that it starts knows besides the program. */
  readonly roles: PostgresOptions['signers'];
  /** For the Postgres that it starts. */
  readonly keep: Keep;
  readonly log: Log;
}

/** Both threads open up to 39, the signers 16, and `tender ops` and people some more. */
const CONNECTIONS_MAX = 80;

/** A Postgres in the data folder, or the given one, and the log in it: the process that holds it owns the folder. */
export async function openOwnLog(
  { data_dir, database_url, roles: signers = [], log, keep }: OwnLogOptions,
  clock: Clock,
  closers: Closer[],
): Promise<OwnLog> {
  const postgres = await startPostgres({
    dataDir: data_dir,
    ...{ log, keep, signers, connections_max: CONNECTIONS_MAX },
    ...(database_url ? { databaseUrl: database_url } : {}),
  });
  closers.push(() => postgres.stop());
  const { connectionString } = postgres;
  const eventLog = postgresEventStore({ connectionString, clock, log });
  await eventLog.start();
  closers.push(() => eventLog.close());
  return { connection_string: connectionString, eventLog };
}
