import {
  databasePulse,
  embeddedBus,
  postgresEventStore,
  realDelays,
  settableRates,
} from '@tender/adapter-postgres';
import { operatorSources } from '@tender/adapter-outbound';
import { startPostgres, type PostgresOptions } from '@tender/adapter-postgres-server';
import {
  inProcessCalls,
  systemClock,
  systemRandom,
  type SystemClock,
} from '@tender/adapter-system';
import {
  measuredPorts,
  type Context,
  type Keep,
  type Log,
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

export interface EmbeddedSettings {
  readonly data_dir: string;
  readonly database_url: string | null;
  readonly master_key: string | null;
  readonly webhook_allow_loopback: boolean;
  readonly mail: MailWay;
  /** Of operating wallets; null: there are none. */
  readonly signers: SignerSettings | null;
  /** Whom the Postgres that it starts knows besides the program. */
  readonly roles: PostgresOptions['signers'];
  /** Called once the data folder is known to be ours. */
  readonly chains: () => Promise<Readonly<Record<Mode, ChainSettings>>>;
  /** For the Postgres that it starts. */
  readonly keep: Keep;
  readonly log: Log;
  readonly telemetry: Telemetry;
}

export interface EmbeddedRuntime extends Runtime {
  readonly clock: SystemClock;
  readonly rates: SettableRates;
  readonly connection_string: string;
  /** Ends what this started, in the reverse order. */
  close(): Promise<void>;
}

/**
 * Fills every port for one process: a Postgres in the data folder (or the given one), the bus over its
 * log, keys in files. `decorate` puts something between the program and its ports.
 */
export async function embedded(
  settings: EmbeddedSettings,
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
    const { connectionString, eventLog } = await openLog(settings, clock, closers);
    const chains = openChains({ chains: await settings.chains(), clock, log }, closers);
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
    const calls = inProcessCalls(realDelays);
    return {
      ...parts,
      ...measuredPorts({ ...parts, bus, calls, contexts, telemetry, clock }),
      keyRing: openKeyRing({ ...settings, ...parts, clock }, closers),
      rates: settableRates({ readModels: parts.readModels, clock }),
      sources: operatorSources(clock),
      signers: await openSignersOf(settings.signers, log, closers),
      mail: await openMail(settings.mail, clock, closers),
      clock,
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

/** The log is opened first: the process that holds it owns the data folder. */
async function openLog(settings: EmbeddedSettings, clock: Clock, closers: Closer[]) {
  const { data_dir, database_url, roles: signers = [], log, keep } = settings;
  const postgres = await startPostgres({
    dataDir: data_dir,
    ...{ log, keep, signers },
    ...(database_url ? { databaseUrl: database_url } : {}),
  });
  closers.push(() => postgres.stop());
  const { connectionString } = postgres;
  const eventLog = postgresEventStore({ connectionString, clock, log });
  await eventLog.start();
  closers.push(() => eventLog.close());
  return { connectionString, eventLog };
}
