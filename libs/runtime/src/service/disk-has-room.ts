import { statfs } from 'node:fs/promises';
import type { Log } from '@tender/eventing';

/** MiB. With less, Postgres cannot make the next file of its log (16 MiB) for much longer. */
const FREE_MIB_MIN = 64;

/** What the system says of the disk of a folder. */
export type ReadDisk = (
  folder: string,
) => Promise<{ readonly bavail: number; readonly bsize: number }>;

/** Whether the folder's disk has room for what is to be kept; without it no request should come here. */
export function diskHasRoom(
  data_dir: string,
  log: Log,
  readDisk: ReadDisk = statfs,
): () => Promise<boolean> {
  return async () => {
    const { bavail, bsize } = await readDisk(data_dir);
    const free_mib = Math.floor((bavail * bsize) / 2 ** 20);
    if (free_mib >= FREE_MIB_MIN) return true;
    log.error({ data_dir, free_mib, needed_mib: FREE_MIB_MIN }, 'the disk of DATA_DIR is full');
    return false;
  };
}
