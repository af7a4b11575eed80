import { readdirSync } from 'node:fs';
import path from 'node:path';
import { programOn, runningPostgres } from '@tender/adapter-postgres-server';

/** Another system of this machine. */
export interface Neighbour {
  readonly data_dir: string;
  /** Null: its Postgres is left over from a program that was killed. */
  readonly pid: number | null;
}

type IsLookedAt = (database_url: string, folder: string) => boolean;

/** Without DATA_DIR `npm start` keeps its data here, and `npm run distributed` in its folder `distributed`. */
const USUAL = '.data';

/**
 * Systems on the usual data folders, on the given one, on the folder that it is in and on the others of that, and on
 * `distributed` in each; other than the one whose database is looked at.
 */
export function neighboursOf(data_dir: string, isLookedAt: IsLookedAt): readonly Neighbour[] {
  const parent = path.dirname(data_dir);
  const around = [data_dir, parent, ...foldersIn(parent), path.resolve(USUAL)];
  const folders = around.flatMap((folder) => [folder, path.join(folder, 'distributed')]);
  return [...new Set(folders)].flatMap((folder) => neighbourOn(folder, isLookedAt) ?? []);
}

/** As a sentence names it. */
export const lifeOf = ({ pid }: Neighbour): string =>
  pid === null ? 'its program was killed, its Postgres is left' : `pid ${pid}`;

/** A folder that this user may not read is no fault: it is not the one that the command was pointed at. */
function neighbourOn(folder: string, isLookedAt: IsLookedAt): Neighbour | null {
  try {
    const url = runningPostgres(folder);
    if (url === null || isLookedAt(url, folder)) return null;
    return { data_dir: folder, pid: programOn(folder) };
  } catch (error) {
    if (isClosed(error)) return null;
    throw error;
  }
}

/** A link is not followed: what it leads to has a name of its own. */
function foldersIn(parent: string): readonly string[] {
  try {
    return readdirSync(parent, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => path.join(parent, name))
      .sort();
  } catch (error) {
    if (isClosed(error)) return [];
    throw error;
  }
}

const isClosed = (error: unknown): boolean =>
  ['EACCES', 'EPERM', 'ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');
