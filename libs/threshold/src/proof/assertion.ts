import { createHash, verify } from 'node:crypto';
import { bytesOfBase64url } from '../base64url';
import { credentialKey } from './cose-key';

/** The bytes of a WebAuthn assertion. */
export interface AssertionBytes {
  /** What the browser says, as JSON. */
  readonly client_bytes: Uint8Array;
  /** What the authenticator says. */
  readonly data: Uint8Array;
  readonly signature: Uint8Array;
}

/** Whether the passkey of this key (COSE, base64url) has signed it: its data and the hash of what the browser says. */
export function isAssertionSigned(
  public_key: string,
  { client_bytes, data, signature }: AssertionBytes,
): boolean {
  const cose = bytesOfBase64url(public_key);
  const known = cose && credentialKey(cose);
  if (!known) return false;
  const hash = createHash('sha256').update(client_bytes).digest();
  try {
    return verify(known.hash, Buffer.concat([data, hash]), known.key, signature);
  } catch {
    return false;
  }
}
