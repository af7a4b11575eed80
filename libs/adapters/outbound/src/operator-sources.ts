import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { isUrl, type OpenSource, type Sources } from '@tender/eventing';
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
    open: (place, signal, seen = null) =>
      isUrl(place) ? openUrl(place, signal, seen) : openFile(place, signal, seen),
  };

  async function openUrl(
    url: string,
    signal: AbortSignal,
    seen: string | null,
  ): Promise<OpenSource> {
    const as_of_ms = wall();
    const { chunks, etag } = await download(url, { ...BOUNDS, ...bounds, seen_etag: seen, signal });
    return { chunks, as_of_ms, version: etag };
  }

  async function openFile(
    place: string,
    signal: AbortSignal,
    seen: string | null,
  ): Promise<OpenSource> {
    const path = place.startsWith('file:') ? fileURLToPath(place) : place;
    const { mtimeMs, size, ino } = await stat(path);
    const version = `${mtimeMs}-${size}-${ino}`;
    const chunks = version === seen ? null : createReadStream(path, { signal });
    return { chunks, as_of_ms: Math.trunc(mtimeMs), version };
  }
}
