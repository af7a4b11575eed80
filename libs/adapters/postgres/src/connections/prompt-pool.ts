import { Pool, type PoolConfig } from 'pg';
import type { Log } from '@tender/eventing';

/** After so many milliseconds a connection or a statement has failed. */
export const ANSWER_MS = 2_000;

/** A connection of its own, for what has to be answered soon: a busy pool would hold it up. */
export function promptPool(config: PoolConfig, log: Log, lost: string): Pool {
  const limits = { connectionTimeoutMillis: ANSWER_MS, query_timeout: ANSWER_MS };
  const pool = new Pool({ ...config, ...limits, max: 1, keepAlive: true });
  pool.on('error', (error) => log.warn({ err: error }, lost));
  return pool;
}
