import { ed25519 } from '@noble/curves/ed25519.js';
import { invariant } from '@tender/kernel';
import { base58, KEY_BYTES, keyBytes } from './address';
import type { Signer } from './signatures';

/*
 * What browsers get as this library: what their parties of a ceremony need of it, without Node's own cryptography. Each
 * does what its namesake does on servers (browser.spec.ts).
 */
export { base58, KEY_BYTES, keyBytes, SIGNATURE_BYTES } from './address';
export type { Signer } from './signatures';

/** The base64 of bytes. */
export const base64 = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));

/** Base64 in its one usual form, or null. */
export function bytesOfBase64(text: string): Uint8Array | null {
  try {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    return bytes.length > 0 && base64(bytes) === text ? bytes : null;
  } catch {
    return null;
  }
}

/** The signer of a seed. It keeps a copy, so the seed may be zeroed. */
export function signerOf(secret: Uint8Array): Signer {
  invariant(secret.length === KEY_BYTES, 'a seed has 32 bytes');
  const seed = secret.slice();
  return {
    address: base58(ed25519.getPublicKey(seed)),
    sign: (message) => ed25519.sign(message, seed),
  };
}

/** Whether the owner of the address has signed these bytes. */
export function hasSigned(address: string, message: Uint8Array, signature: Uint8Array): boolean {
  const key = keyBytes(address);
  if (key === null) return false;
  try {
    return ed25519.verify(signature, message, key, { zip215: false });
  } catch {
    return false;
  }
}
