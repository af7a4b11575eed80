import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  type KeyObject,
} from 'node:crypto';
import { drawBytes } from './random-page';

const IV_BYTES = 12;
const TAG_BYTES = 16;
export const KEY_BYTES = 32;

/**
 * The key in the form that ciphers and HMACs take as it is: from bytes, Node would build it anew at each use.
 * The bytes are zeroed; the key's own copy is wiped when it is no longer referred to.
 */
export function secretKey(bytes: Buffer): KeyObject {
  const key = createSecretKey(bytes);
  bytes.fill(0);
  return key;
}

/** AES-256-GCM: base64 of iv, tag and ciphertext. `context` is bound to it but not stored. */
export function sealUnder(key: KeyObject, context: string, plaintext: Buffer): string {
  const iv = drawBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(context, 'utf8'));
  const body = Buffer.concat([cipher.update(plaintext), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64');
}

/** Throws when the key, the context or a single bit differs. */
export function openUnder(key: KeyObject, context: string, sealed: string): Buffer {
  const bytes = Buffer.from(sealed, 'base64');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES))
    .setAAD(Buffer.from(context, 'utf8'))
    .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
}
