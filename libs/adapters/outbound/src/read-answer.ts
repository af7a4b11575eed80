import type { Readable } from 'node:stream';

/**
 * The first `bytes_max` bytes of the body as they came; then the connection is dropped. A body that
 * breaks off or runs into the deadline is cut there: the status line already counted.
 */
export async function readBody(
  body: Readable,
  bytes_max: number,
): Promise<{ readonly body: Buffer; readonly body_cut: boolean }> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > bytes_max) break;
    }
    return { body: Buffer.concat(chunks).subarray(0, bytes_max), body_cut: length > bytes_max };
  } catch {
    return { body: Buffer.concat(chunks).subarray(0, bytes_max), body_cut: true };
  } finally {
    body.destroy();
  }
}

/** Retry-After as whole seconds from now, whichever of its two forms was sent; null when unreadable. */
export function retryAfterSeconds(
  header: string | string[] | undefined,
  wall_ms: number,
): string | null {
  const text = (Array.isArray(header) ? header[0] : header)?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return text;
  const time_ms = /GMT$/.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(time_ms) ? null : String(Math.max(0, Math.ceil((time_ms - wall_ms) / 1000)));
}
