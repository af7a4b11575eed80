import { Pool, type PoolConfig } from 'pg';

/**
 * Connections to a signer’s ledger. One that is lost, lent or not, is told to `lost` and never ends the process: what
 * was asked of it fails by itself.
 */
export function ledgerPool(config: PoolConfig, lost: (error: Error) => void): Pool {
  const pool = new Pool(config);
  // While it is lent, the pool does not listen to it.
  pool.on('connect', (client) => client.on('error', lost));
  pool.on('error', () => undefined);
  return pool;
}
