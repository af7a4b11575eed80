import { createHash, createPrivateKey, createPublicKey } from 'node:crypto';

/** What stands before an X25519 secret in its DER form. */
const PKCS8 = Buffer.from('302e020100300506032b656e04220420', 'hex');
const KEY_BYTES = 32;

/**
 * What shares for disasters are sealed to on local chains where no RECOVERY_KEY is named, base64. Its secret is made of
 * the text below, which anyone can read: it protects nothing, and no signer takes it where money is of value.
 */
export const EXAMPLE_RECOVERY_KEY = publicKeyOf(
  createHash('sha256').update('tender.example-recovery-key.v1').digest(),
);

function publicKeyOf(secret: Buffer): string {
  const key = createPrivateKey({
    key: Buffer.concat([PKCS8, secret]),
    format: 'der',
    type: 'pkcs8',
  });
  const der = createPublicKey(key).export({ format: 'der', type: 'spki' });
  return der.subarray(-KEY_BYTES).toString('base64');
}
