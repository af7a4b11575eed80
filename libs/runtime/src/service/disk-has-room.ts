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
    const disk = await readDisk(data_dir).catch((error: unknown) => {
      log.error({ err: error, data_dir }, 'DATA_DIR cannot be read: it was moved away, or its disk is gone');
    });
    if (!disk) return false;
    const free_mib = Math.floor((disk.bavail * disk.bsize) / 2 ** 20);
    if (free_mib >= FREE_MIB_MIN) return true;
    log.error({ data_dir, free_mib, needed_mib: FREE_MIB_MIN }, 'the disk of DATA_DIR is full');
    return false;
  };
}
