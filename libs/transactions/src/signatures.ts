import { createHash, createPublicKey, verify } from 'node:crypto';
import { keyBytes } from './address';

/** What stands before the 32 bytes of an Ed25519 key in its DER form. */
const DER_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

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
