import { hash } from 'node:crypto';
import { apiKeyOf, keyIds, newId, type RequestContext } from '@tender/contracts';
import type { KeyRing } from '@tender/eventing';
import { timeOf, type Mode } from '@tender/kernel';

/** SHA-256, hex: all that is stored of a key. 256 random bits need no slow hash (S3). */
export const hashOfKey = (text: string): string => hash('sha256', text);

/**
 * The text of the key that a command made. The same command gives the same text for a day, so that the
 * gateway can answer a repeated request; then the day’s key is destroyed and the text is lost (ADR 0003).
 */
export function keyTextOf(
  keyRing: KeyRing,
  command_id: string,
  { mode, created_at }: { readonly mode: Mode; readonly created_at: string },
): string {
  return apiKeyOf(mode, keyRing.dayBytes(timeOf(created_at), `api-key|${command_id}`));
}

export const keyIdOf = ({ id_seed }: Pick<RequestContext, 'id_seed'>, mode: Mode): string =>
  newId(keyIds, mode, Buffer.from(id_seed, 'hex'));
