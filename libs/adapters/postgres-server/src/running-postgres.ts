import { readFileSync, realpathSync } from 'node:fs';
import { placesIn } from './cluster';
import { readPostmaster } from './leftover';
import { livingOwner } from './owner-file';
import { startOf } from './process-identity';
import { connectionString } from './roles';
import { everydayRole } from './settle-roles';

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
    return connectionString(everydayRole(places.cluster), password, server.port);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** The pid of the program that started this server; null when it was killed and the server is left over. */
export const programOn = (dataDir: string): number | null =>
  livingOwner(placesIn(realpathSync(dataDir)).owner);
