import path from 'node:path';
import { programOn, runningPostgres } from '@tender/adapter-postgres-server';

/** Another system of this machine. */
export interface Neighbour {
  readonly data_dir: string;
  /** Null: its Postgres is left over from a program that was killed. */
  readonly pid: number | null;
}

/** Where `npm start` and `npm run distributed` keep their data unless they are told. */
const USUAL = ['.data', path.join('.data', 'distributed')];

/** Systems on the usual data folders and beside the given one, other than the one whose database is looked at. */
export function neighboursOf(
  data_dir: string,
  isLookedAt: (database_url: string, folder: string) => boolean,
): readonly Neighbour[] {
  const folders = [data_dir, path.join(data_dir, 'distributed'), ...USUAL.map((one) => path.resolve(one))];
  return [...new Set(folders)].flatMap((folder) => {
    const url = runningPostgres(folder);
    if (url === null || isLookedAt(url, folder)) return [];
    return { data_dir: folder, pid: programOn(folder) };
  });
}
