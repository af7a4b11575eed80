import { crc32 } from 'node:zlib';
import { base62, type Mode } from '@tender/kernel';

const SECRET_CHARACTERS = 43;
const CHECKSUM_CHARACTERS = 6;
const API_KEY = /^(svc_(test|live)_[0-9A-Za-z]{43})([0-9A-Za-z]{6})$/;
/** The same for documents, which know nothing of checksums. */
export const API_KEY_PATTERN = /^svc_(test|live)_[0-9A-Za-z]{49}$/;

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/**
 * Six base62 characters of the CRC-32 of everything before them: a typo is found without a look-up. Plain
 * numbers, because every request runs this.
 */
function checksumOf(text: string): string {
  let value = crc32(text);
  let characters = '';
  for (let at = 0; at < CHECKSUM_CHARACTERS; at += 1) {
    characters = (BASE62[value % 62] as string) + characters;
    value = Math.floor(value / 62);
  }
  return characters;
}

/** `svc_test_` + 256 bits in base62 + checksum (specification §2.2). `secret` is 32 bytes. */
export function apiKeyOf(mode: Mode, secret: Uint8Array): string {
  const text = `svc_${mode}_${base62(secret.subarray(0, 32), SECRET_CHARACTERS)}`;
  return text + checksumOf(text);
}

/** True when the text has the form of a key and its checksum is right. Says nothing about whether it exists. */
export const hasApiKeyForm = (text: string): boolean => modeOfApiKey(text) !== null;

/** The mode that a key says, whether or not it exists; null for text that has not the form of one. */
export function modeOfApiKey(text: string): Mode | null {
  const [, signed, mode, checksum] = API_KEY.exec(text) ?? [];
  return signed !== undefined && checksumOf(signed) === checksum ? (mode as Mode) : null;
}
