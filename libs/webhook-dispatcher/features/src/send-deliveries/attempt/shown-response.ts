/** Bytes of an answer that are read before the connection is dropped. */
export const RESPONSE_BYTES_READ_MAX = 16 * 1024;
/** Bytes that the record keeps. */
export const RESPONSE_BYTES_KEPT_MAX = 4 * 1024;

const SECRETS =
  /(?:svc_(?:test|live|admin)_|whsec_)[A-Za-z0-9+/=_-]+|(?<=authorization["']?\s*[:=]\s*["']?)(?:(?:bearer|basic)\s+)?[^\s"',]+/gi;
/** Characters that must reach neither a terminal nor a text column. */
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;

/**
 * A receiver's bytes as text that is safe to store and show: invalid UTF-8 replaced, secrets redacted,
 * control characters escaped, at most 4 KiB.
 */
export function shownResponse(body: Buffer): string {
  const text = body
    .toString('utf8')
    .replace(SECRETS, '[redacted]')
    .replace(CONTROLS, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`);
  return cutToBytes(text, RESPONSE_BYTES_KEPT_MAX);
}

/** Whole characters only. */
export function cutToBytes(text: string, bytes_max: number): string {
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length <= bytes_max) return text;
  let end = bytes_max;
  while (end > 0 && ((bytes[end] as number) & 0xc0) === 0x80) end -= 1;
  return bytes.subarray(0, end).toString('utf8');
}
