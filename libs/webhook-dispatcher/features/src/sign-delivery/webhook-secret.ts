import type { KeyRing } from '@tender/eventing';
import type { Mode } from '@tender/kernel';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/**
 * `whsec_` and 256 bits in base64. Derived from the command, so that a repeat of the request can show it
 * for 24 hours and nobody can later (settled 6).
 */
export function newSecret(keyRing: KeyRing, mode: Mode, command_id: string, now: number): string {
  const bytes = keyRing.dayBytes(now, `webhook-secret|${mode}|${command_id}`);
  return PREFIX + bytes.subarray(0, SECRET_BYTES).toString('base64');
}

const contextOf = (mode: Mode, merchant_id: string) => `webhook-secret|${mode}|${merchant_id}`;

/** What may be stored: readable only with the key ring, and only as this merchant's secret. */
export const sealSecret = (
  keyRing: KeyRing,
  mode: Mode,
  merchant_id: string,
  secret: string,
): string =>
  keyRing.seal(contextOf(mode, merchant_id), secret);

export const openSecret = (
  keyRing: KeyRing,
  mode: Mode,
  merchant_id: string,
  sealed: string,
): string =>
  keyRing.open(contextOf(mode, merchant_id), sealed);

/** The HMAC key of `webhook-signature`: the decoded part after `whsec_`. */
export const secretBytes = (secret: string): Buffer =>
  Buffer.from(secret.slice(PREFIX.length), 'base64');
