import { identityOf, recoveryKeyPair } from '@tender/threshold';

/** The public key of an identity’s seed, base58: what others pin. */
export const publicIdentity = (seed: Uint8Array): string => identityOf(seed).public_key;

/** What shares for disasters are sealed to, and what opens them; base64. */
export interface RecoveryPair {
  readonly public_key: string;
  readonly secret_key: string;
}

export function newRecoveryKey(): RecoveryPair {
  const { public_key, secret_key } = recoveryKeyPair();
  const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
  return { public_key: base64(public_key), secret_key: base64(secret_key) };
}
