import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { OpenSource, Sources } from '@tender/eventing';
import type { Clock } from '@tender/kernel';
import { Agent, fetch } from 'undici';

const STALLED_MS = 60_000;

/** Files and URLs that the operator names in settings: no stranger has a say, so nothing is guarded against. */
export function operatorSources({ wall }: Pick<Clock, 'wall'>): Sources {
  return {
    open: (place, signal) =>
      /^https?:\/\//i.test(place) ? openUrl(place, signal) : openFile(place, signal),
  };

  async function openUrl(url: string, signal: AbortSignal): Promise<OpenSource> {
    const as_of_ms = wall();
    const dispatcher = new Agent({ headersTimeout: STALLED_MS, bodyTimeout: STALLED_MS });
    try {
      const { ok, status, body } = await fetch(url, { signal, dispatcher });
      if (!ok || !body) throw new Error(`the server answered ${status}`);
      return { chunks: untilClosed(body, dispatcher), as_of_ms };
    } catch (error) {
      await dispatcher.destroy();
      throw error;
    }
  }

  async function openFile(place: string, signal: AbortSignal): Promise<OpenSource> {
    const path = place.startsWith('file:') ? fileURLToPath(place) : place;
    const { mtimeMs } = await stat(path);
    return { chunks: createReadStream(path, { signal }), as_of_ms: Math.trunc(mtimeMs) };
  }
}

async function* untilClosed(
  body: AsyncIterable<Uint8Array>,
  dispatcher: Agent,
): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } finally {
    await dispatcher.destroy();
  }
}
