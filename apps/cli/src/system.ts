import { eventStoreDb } from '@tender/adapter-eventstoredb';
import {
  LogIsElsewhere,
  postgresReadModels,
  postgresReplayLog,
  readLogPlace,
  refuseOtherLog,
  type OwnedProjection,
  type PostgresReadModels,
} from '@tender/adapter-postgres';
import { systemClock } from '@tender/adapter-system';
import { COMPOSITION } from '@tender/composition';
import {
  replayByFollowing,
  type Context,
  type EventStore,
  type Log,
  type ReplayLog,
  type Sql,
} from '@tender/eventing';
import { consumersOf } from '@tender/http';
import { CommandFault } from './faults';
import type { Places } from './settings';

/** The contexts that keep something: one that neither folds nor hears may have no tables yet. */
export const CONTEXTS: readonly Context[] = Object.values(COMPOSITION).filter(
  (context) => context.projections.length > 0 || consumersOf(context).length > 0,
);

export const PROJECTIONS: readonly OwnedProjection[] = CONTEXTS.flatMap(
  ({ schema, projections }) => projections.map((projection) => ({ schema, projection })),
);

/** The tables and the log of a running system, without anything that could act on them by itself. */
export interface System {
  readonly readModels: PostgresReadModels;
  readonly log: ReplayLog;
  /** Why this log is not the one that the tables were made from; null when it is. */
  readonly log_fault: string | null;
  close(): Promise<void>;
}

/** A log, and where it ends. */
interface OpenLog {
  readonly log: ReplayLog;
  readonly end: Pick<EventStore, 'newest' | 'isBefore'> | null;
}

const POOL_MAX = 4;

/** Joins what is there; makes no schema and runs no migration: that is for the services of this release. */
export async function openSystem(
  { database_url, eventstore_url }: Places,
  complain: (line: string) => void,
): Promise<System> {
  const quiet = (): void => undefined;
  const log: Log = {
    info: quiet,
    warn: (_, message) => complain(String(message)),
    error: (_, message) => complain(String(message)),
  };
  const connectionString = database_url;
  const { log: replayLog, end }: OpenLog = eventstore_url
    ? await replayOfStore(eventstore_url, log)
    : { log: postgresReplayLog({ connectionString, log }), end: null };
  const readModels = postgresReadModels({
    ...{ connectionString, log, pool_max: POOL_MAX },
    ...{ schemas: [], migrations: [] },
    isBefore: (position, other) => replayLog.isBefore(position, other),
  });
  const close = async (): Promise<void> => {
    await replayLog.close();
    await readModels.close();
  };
  try {
    await mustHaveGenerations(readModels);
    const log_fault = await readLogFault(readModels, end);
    return { readModels, log: replayLog, log_fault, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The store hands over only what is final, so following it is reading it. */
async function replayOfStore(connectionString: string, log: Log): Promise<OpenLog> {
  const store = eventStoreDb({ connectionString, clock: systemClock(), log });
  await store.start().catch(async (error: unknown) => {
    await store.close();
    throw error;
  });
  const replayLog = replayByFollowing(store, {
    lag: (categories, from) => store.lag(categories, from),
    close: () => store.close(),
  });
  return { log: replayLog, end: store };
}

/** `end` of an EventStoreDB; null where the log should be in this Postgres. */
async function readLogFault(sql: Sql, end: OpenLog['end']): Promise<string | null> {
  const nowhere = { newest: () => Promise.resolve(null), isBefore: () => false };
  const { lanes } = await readLogPlace(sql, CONTEXTS.map(({ schema }) => schema));
  // In this Postgres it may be of either run: what they have left tells, and is no fault.
  const here = lanes > 0 ? 'postgres' : 'alone';
  try {
    await refuseOtherLog(sql, end === null ? here : 'eventstore', end ?? nowhere);
    return null;
  } catch (error) {
    if (error instanceof LogIsElsewhere) return error.message;
    throw error;
  }
}

async function mustHaveGenerations(readModels: PostgresReadModels): Promise<void> {
  for (const { schema } of PROJECTIONS) {
    const [found] = await readModels.query<{ there: boolean }>(
      'select to_regclass($1) is not null as there',
      [`${schema}.generations`],
    );
    if (found?.there) continue;
    throw new CommandFault(
      `The database has no ${schema}.generations: start the services of this release once, they make it.`,
    );
  }
}
