import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { OpenSource, Sources } from '@tender/eventing';
import type { Clock } from '@tender/kernel';
import { download, type DownloadBounds } from './download';

/** Several times what the longest list that is published takes on a slow line. */
const BOUNDS: DownloadBounds = {
  bytes_max: 512 * 1024 * 1024,
  deadline_ms: 15 * 60_000,
  stalled_ms: 60_000,
};

/** Files and URLs that the operator names in settings: no stranger has a say in where they are. */
export function operatorSources(
  { wall }: Pick<Clock, 'wall'>,
  bounds: Partial<DownloadBounds> = {},
): Sources {
  return {
    open: (place, signal) =>
      /^https?:\/\//i.test(place) ? openUrl(place, signal) : openFile(place, signal),
  };

  async function openUrl(url: string, signal: AbortSignal): Promise<OpenSource> {
    const as_of_ms = wall();
    return { chunks: await download(url, { ...BOUNDS, ...bounds, signal }), as_of_ms };
  }

  async function openFile(place: string, signal: AbortSignal): Promise<OpenSource> {
    const path = place.startsWith('file:') ? fileURLToPath(place) : place;
    const { mtimeMs } = await stat(path);
    return { chunks: createReadStream(path, { signal }), as_of_ms: Math.trunc(mtimeMs) };
  }
}
