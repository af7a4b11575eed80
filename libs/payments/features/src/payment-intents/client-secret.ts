import { createHash, timingSafeEqual } from 'node:crypto';
import type { KeyRing } from '@tender/eventing';
import { base62, timeOf } from '@tender/kernel';
import type { IntentTerms } from '@tender/payments-domain';

/** Of 256 bits. */
const SECRET_CHARACTERS = 43;

/**
 * The client secret of the intent that a command made. The same command gives the same text for a day, so that a
 * repeat can show it; then the day's key is destroyed, and nothing makes it again (ADR 0003).
 */
export function clientSecretOf(
  keyRing: Pick<KeyRing, 'dayBytes'>,
  command_id: string,
  { payment_intent_id, created_at }: Pick<IntentTerms, 'payment_intent_id' | 'created_at'>,
): string {
  const bytes = keyRing.dayBytes(timeOf(created_at), `client-secret|${command_id}`);
  return `${payment_intent_id}_secret_${base62(bytes, SECRET_CHARACTERS)}`;
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/** SHA-256, hex: all that is stored of a client secret. */
export const hashOfClientSecret = (text: string): string => sha256(text).toString('hex');

/** In a time that tells nothing of how much of it is right (S21). */
export const isClientSecret = (given: string, client_secret_hash: string): boolean =>
  timingSafeEqual(sha256(given), Buffer.from(client_secret_hash, 'hex'));
