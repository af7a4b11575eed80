import { readFileSync, realpathSync } from 'node:fs';
import { DATABASE, placesIn, USER } from './cluster';
import { readPostmaster } from './leftover';
import { livingOwner } from './owner-file';
import { startOf } from './process-identity';

/**
 * The server that a running program has started on this data folder, for a program that only joins it. Null when
 * there is no such folder or nothing runs on it.
 */
export function runningPostgres(dataDir: string): string | null {
  try {
    const places = placesIn(realpathSync(dataDir));
    const server = readPostmaster(places.cluster);
    if (!server?.ready || startOf(server.pid) === null) return null;
    const password = readFileSync(places.password, 'utf8').trim();
    return `postgres://${USER}:${password}@127.0.0.1:${server.port}/${DATABASE}`;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** The pid of the program that started this server; null when it was killed and the server is left over. */
export const programOn = (dataDir: string): number | null =>
  livingOwner(placesIn(realpathSync(dataDir)).owner);
