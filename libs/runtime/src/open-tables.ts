import { guardedOutbound } from '@tender/adapter-outbound';
import {
  keyRingTables,
  postgresReadModels,
  ratesTables,
  refuseOtherLog,
  type Cuttable,
} from '@tender/adapter-postgres';
import type {
  Chain,
  Context,
  EventStore,
  Log,
  Outbound,
  ReadModels,
  Telemetry,
} from '@tender/eventing';
import type { Mode } from '@tender/kernel';
import { watchConnections } from './telemetry';

/** Ends what was started; called newest first. */
export type Closer = () => Promise<unknown> | void;

/** A service's tables; every context has them, and so do the gateway and the key ring. */
export type Tables = Pick<Context, 'name' | 'schema' | 'migrations'>;

/** The ports that a fault can be put in front of; the others are made from these. */
export interface Faultable {
  readonly eventStore: EventStore;
  readonly readModels: ReadModels;
  readonly outbound: Outbound;
  readonly chains: Readonly<Record<Mode, Chain>>;
}

/** Puts something between the program and its ports. */
export type Decorate = (parts: Faultable) => Faultable;

export interface TablesOptions {
  readonly connectionString: string;
  readonly eventStore: EventStore;
  readonly chains: Faultable['chains'];
  /** Where the log is, and whether others write it: tables of another log, and a log that is lost, are refused. */
  readonly log_place: Parameters<typeof refuseOtherLog>[1];
  readonly contexts: readonly Context[];
  /** Tables beside those of the contexts. */
  readonly tables: readonly Tables[];
  readonly webhook_allow_loopback: boolean;
  readonly log: Log;
  readonly telemetry: Telemetry;
}

/** Opens the tables of all that lives in the process, and the way to merchants' servers. `closers` end them. */
export async function openTables(
  { connectionString, eventStore, chains, contexts, log, ...options }: TablesOptions,
  closers: Closer[],
  decorate: Decorate = (parts) => parts,
): Promise<{ readonly parts: Faultable; readonly tables: Cuttable }> {
  const owners = [keyRingTables, ratesTables, ...options.tables, ...contexts];
  const readModels = postgresReadModels({
    connectionString,
    schemas: owners.map(({ schema }) => schema),
    migrations: owners.flatMap(({ migrations }) => migrations),
    isBefore: (position, other) => eventStore.isBefore(position, other),
    log,
  });
  closers.push(() => readModels.close());
  await readModels.start();
  await refuseOtherLog(readModels, options.log_place, eventStore);
  watchConnections(options.telemetry, readModels);
  const outbound = guardedOutbound({ allowLoopback: options.webhook_allow_loopback, log });
  closers.push(() => outbound.close());
  return { parts: decorate({ eventStore, readModels, outbound, chains }), tables: readModels };
}
