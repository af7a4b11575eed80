import { createHash, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import { invariant } from '@tender/kernel';
import { base58, KEY_BYTES, keyBytes } from './address';

/** What stands before the 32 bytes of an Ed25519 key in its DER form. */
const DER_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');
const SECRET_DER_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Who can sign for an address. */
export interface Signer {
  readonly address: string;
  sign(message: Uint8Array): Uint8Array;
}

/** The signer of a secret: its first 32 bytes are the seed; what may follow, as in key files, is the address. */
export function signerOf(secret: Uint8Array): Signer {
  invariant(
    secret.length === KEY_BYTES || secret.length === 2 * KEY_BYTES,
    'a secret has 32 or 64 bytes',
  );
  const seed = secret.subarray(0, KEY_BYTES);
  const key = createPrivateKey({
    key: Buffer.concat([SECRET_DER_PREFIX, seed]),
    format: 'der',
    type: 'pkcs8',
  });
  const der = createPublicKey(key).export({ format: 'der', type: 'spki' });
  return {
    address: base58(der.subarray(DER_PREFIX.length)),
    sign: (message) => sign(null, message, key),
  };
}

/** Whether the owner of the address has signed these bytes. */
export function hasSigned(address: string, message: Uint8Array, signature: Uint8Array): boolean {
  const key = keyBytes(address);
  if (key === null) return false;
  const public_key = createPublicKey({
    key: Buffer.concat([DER_PREFIX, key]),
    format: 'der',
    type: 'spki',
  });
  return verify(null, message, public_key, signature);
}

/** What is kept of a message to know it again. */
export const messageHash = (message: Uint8Array): string =>
  createHash('sha256').update(message).digest('hex');
