import type { Mode } from './mode';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Base62 characters taken by one division: 62^5 times 256 is still exact in a double. */
const STRIDE = 5;
const STRIDE_VALUE = 62 ** STRIDE;

/** `length` base62 characters of big-endian bytes, left-padded with 0. 22 characters hold 128 bits. */
export function base62(bytes: Uint8Array, length: number): string {
  const value = Uint8Array.from(bytes);
  let text = '';
  while (text.length < length) {
    let digits = divide(value, STRIDE_VALUE);
    for (let place = 0; place < STRIDE && text.length < length; place += 1) {
      text = BASE62.charAt(digits % 62) + text;
      digits = Math.floor(digits / 62);
    }
  }
  return text;
}

/** Long division in place, byte by byte; answers the remainder. */
function divide(value: Uint8Array, divisor: number): number {
  let remainder = 0;
  for (let index = 0; index < value.length; index += 1) {
    const dividend = remainder * 256 + (value[index] as number);
    value[index] = Math.floor(dividend / divisor);
    remainder = dividend % divisor;
  }
  return remainder;
}

/** The 16 bytes that `idCharacters` has written so; null for text that it never writes. */
export function bytesOfIdCharacters(characters: string): Uint8Array | null {
  if (!/^[0-9A-Za-z]{22}$/.test(characters)) return null;
  const value = [...characters].reduce(
    (sum, digit) => sum * 62n + BigInt(BASE62.indexOf(digit)),
    0n,
  );
  return value >> 128n ? null : Buffer.from(value.toString(16).padStart(32, '0'), 'hex');
}

/** The 22 characters of an object id, from 16 bytes that nobody can guess (specification §1.10). */
export const idCharacters = (bytes: Uint8Array): string => base62(bytes.subarray(0, 16), 22);

/**
 * A UUIDv8 of 16 bytes that nobody can guess, where the specification says UUID. Of an object that has a mode
 * the last bit says it: 0 in test, 1 in live.
 */
export function uuidOf(bytes: Uint8Array, mode?: Mode): string {
  const marked = Buffer.from(bytes.subarray(0, 16));
  if (mode) marked.writeUInt8((marked.readUInt8(15) & 0xfe) | (mode === 'live' ? 1 : 0), 15);
  marked.writeUInt8((marked.readUInt8(6) & 0x0f) | 0x80, 6);
  marked.writeUInt8((marked.readUInt8(8) & 0x3f) | 0x80, 8);
  const text = marked.toString('hex');
  return `${text.slice(0, 8)}-${text.slice(8, 12)}-${text.slice(12, 16)}-${text.slice(16, 20)}-${text.slice(20)}`;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
export const isUuid = (text: string): boolean => UUID.test(text);

const UUID_8 = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** What the last bit says in the UUID of an object that has a mode; null for what `uuidOf` does not make. */
export function modeOfUuid(text: string): Mode | null {
  if (!UUID_8.test(text)) return null;
  return Number.parseInt(text.slice(-1), 16) % 2 === 1 ? 'live' : 'test';
}
