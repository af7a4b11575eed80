import * as pg from 'pg';
import type { Log, Sql } from '@tender/eventing';
import { CuttablePool, type Cuttable } from '../connections/cuttable-pool';
import { preparedStatement } from '../connections/prepared-statement';

export interface TablePoolOptions {
  readonly connectionString: string;
  readonly log: Log;
  /** Connections; 12 where it is left out. */
  readonly pool_max?: number;
}

export const PART = 'read models';
// Statements are prepared, but planned for the tables as they are: a plan made while a queue was short took
// seconds for each claim of a long one, until the next automatic ANALYZE.
export const PLANNING = '-c plan_cache_mode=force_custom_plan -c jit=off';
const POOL_MAX = 12;
/** A process that starts among others on a busy machine may not get to its own connection for a while. */
export const FIRST_CONNECT_MS = 60_000;
/** Once the process runs, its callers learn sooner that there is no connection to be had. */
const CONNECT_TIMEOUT_MS = 5_000;

/** The connections to the tables, and statements that are transactions of their own. */
export class TablePool implements Sql, Cuttable {
  readonly pool: pg.Pool;
  readonly connections: CuttablePool;

  constructor({ connectionString, log, pool_max = POOL_MAX }: TablePoolOptions) {
    this.pool = new pg.Pool({
      connectionString,
      application_name: 'tender read models',
      connectionTimeoutMillis: FIRST_CONNECT_MS,
      max: pool_max,
      options: PLANNING,
    });
    this.pool.on('error', (err) => log.warn({ err }, 'a read-model connection was lost'));
    this.connections = new CuttablePool(this.pool, PART);
  }

  /** Connections under way and at rest, and work that waits for one. */
  counts(): { readonly busy: number; readonly idle: number; readonly waiting: number } {
    const { totalCount, idleCount: idle, waitingCount: waiting } = this.pool;
    return { busy: totalCount - idle, idle, waiting };
  }

  async query<Row>(text: string, values?: readonly unknown[]): Promise<Row[]> {
    const { rows } = await this.connections.query(preparedStatement(text, values));
    return rows as Row[];
  }

  isWaiting(): boolean {
    return this.connections.isWaiting();
  }

  cutOff(): () => void {
    return this.connections.cutOff();
  }

  /** From now on a caller does not wait as long for a connection as the start may. */
  started(): void {
    this.pool.options.connectionTimeoutMillis = CONNECT_TIMEOUT_MS;
  }

  async close(): Promise<void> {
    if (!this.pool.ending) await this.pool.end();
  }
}
