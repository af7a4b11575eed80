const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** `length` base62 characters of big-endian bytes, left-padded with 0. 22 characters hold 128 bits. */
export function base62(bytes: Uint8Array, length: number): string {
  let value = 0n;
  for (const byte of bytes) value = (value << 8n) | BigInt(byte);
  let text = '';
  for (let index = 0; index < length; index += 1) {
    text = BASE62[Number(value % 62n)] + text;
    value /= 62n;
  }
  return text;
}

/** The 22 characters of an object id, from 16 bytes that nobody can guess (decisions §1.10). */
export const idCharacters = (bytes: Uint8Array): string => base62(bytes.subarray(0, 16), 22);

/** A UUIDv8 of 16 bytes that nobody can guess, where the specification says UUID. */
export function uuidOf(bytes: Uint8Array): string {
  const hex = [...bytes.subarray(0, 16)].map((byte, index) => {
    if (index === 6) return ((byte & 0x0f) | 0x80).toString(16).padStart(2, '0');
    if (index === 8) return ((byte & 0x3f) | 0x80).toString(16).padStart(2, '0');
    return byte.toString(16).padStart(2, '0');
  });
  const text = hex.join('');
  return `${text.slice(0, 8)}-${text.slice(8, 12)}-${text.slice(12, 16)}-${text.slice(16, 20)}-${text.slice(20)}`;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
export const isUuid = (text: string): boolean => UUID.test(text);
