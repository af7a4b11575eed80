import type { Pool } from 'pg';
import type { Position, ReadModels } from '@tender/eventing';
import type { Cuttable } from '../connections/cuttable-pool';
import { readJsonColumns } from '../connections/json-columns';
import { realDelays } from '../connections/real-delays';
import { Checkpoints, nameOf } from './checkpoints';
import { FollowerProgress } from './follower-progress';
import { gatheredRows } from './gathered-rows';
import { prepareTables, type TablesToPrepare } from './prepare-tables';
import { TablePool, type TablePoolOptions } from './table-pool';
import { inTransaction } from './transaction';
import { waitForProgress } from './wait-for-progress';

export interface PostgresReadModelsOptions extends TablePoolOptions, TablesToPrepare {
  /** How positions of the log compare; as whole numbers where it is left out. */
  readonly isBefore?: (position: Position, other: Position) => boolean;
}

export type PostgresReadModels = ReadModels & Cuttable & {
  /** For what needs a connection to itself. */
  readonly pool: Pool;
  /** Connections under way and at rest, and work that waits for one. */
  connections(): ReturnType<TablePool['counts']>;
  /** Makes the schemas, runs what migrations are due; one process of several at a time. */
  start(): Promise<void>;
  close(): Promise<void>;
};

/** Projections and records of the services, in one Postgres database, over one pool. */
export function postgresReadModels(options: PostgresReadModelsOptions): PostgresReadModels {
  readJsonColumns();
  const isBefore = options.isBefore ?? ((position, other) => BigInt(position) < BigInt(other));
  const tables = new TablePool(options);
  const progress = new FollowerProgress(isBefore, realDelays);
  const checkpoints = new Checkpoints(tables, progress);
  const rowsByKey = gatheredRows(tables);
  return {
    pool: tables.pool,
    start: () => prepareTables(tables, options),
    close: () => tables.close(),
    connections: () => tables.counts(),
    isWaiting: () => tables.isWaiting(),
    cutOff: () => tables.cutOff(),
    query: (text, values) => tables.query(text, values),
    rowsByKey,
    transaction: async (work) =>
      inTransaction(tables.connections, work, (tx) => checkpoints.committed(tx)),
    checkpoint: (schema, follower) => checkpoints.begin(schema, follower),
    saveCheckpoint: (...moved) => checkpoints.save(...moved),
    release: (schema, follower) => checkpoints.release(schema, follower),
    noteProgress: (schema, follower, position) =>
      progress.note(nameOf(schema, follower), position),
    waitFor: waitForProgress(checkpoints, progress, isBefore),
  };
}
