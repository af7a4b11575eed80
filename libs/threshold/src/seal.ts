import { xchacha20poly1305 } from '@noble/ciphers/chacha.js';
import { x25519 } from '@noble/curves/ed25519.js';
import { hkdf } from '@noble/hashes/hkdf.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes, randomBytes } from '@noble/hashes/utils.js';

const NONCE_BYTES = 24;
const KEY_BYTES = 32;

export interface SealKeyPair {
  /** X25519. */
  readonly public_key: Uint8Array;
  readonly secret_key: Uint8Array;
}

export function sealKeyPair(): SealKeyPair {
  const { publicKey, secretKey } = x25519.keygen();
  return { public_key: publicKey, secret_key: secretKey };
}

/** Between whom something is sealed, and what for. */
export interface SealedFor {
  readonly secret_key: Uint8Array;
  /** The other's. */
  readonly public_key: Uint8Array;
  readonly salt: Uint8Array;
  /** Part of the key and authenticated: under another purpose it does not open. */
  readonly purpose: Uint8Array;
}

/** X25519, HKDF-SHA256, XChaCha20-Poly1305: the nonce and what it seals. Null where the other's key is no key. */
export const seal = (plain: Uint8Array, between: SealedFor): Uint8Array | null =>
  withKey(between, (key) => {
    const nonce = randomBytes(NONCE_BYTES);
    const sealed = xchacha20poly1305(key, nonce, between.purpose).encrypt(plain);
    return concatBytes(nonce, sealed);
  });

/** What `seal` has sealed from the other side; null where it was not sealed so. */
export const unseal = (sealed: Uint8Array, between: SealedFor): Uint8Array | null =>
  withKey(between, (key) => {
    const nonce = sealed.subarray(0, NONCE_BYTES);
    const cipher = xchacha20poly1305(key, nonce, between.purpose);
    return cipher.decrypt(sealed.subarray(NONCE_BYTES));
  });

function withKey<Result>(
  { secret_key, public_key, salt, purpose }: SealedFor,
  work: (key: Uint8Array) => Result,
): Result | null {
  const secrets: Uint8Array[] = [];
  try {
    const agreed = x25519.getSharedSecret(secret_key, public_key);
    const key = hkdf(sha256, agreed, salt, purpose, KEY_BYTES);
    secrets.push(agreed, key);
    return work(key);
  } catch {
    // A key of low order, too short a text, another tag: to the caller they are one.
    return null;
  } finally {
    for (const secret of secrets) secret.fill(0);
  }
}
