import type { Operation, SignerCode } from '@tender/threshold';
import type { Message } from '@tender/transactions';
import { brokenGuard, type Guard } from '../guard';
import type { Rules } from '../rules';
import { COMPUTE_GUARDS } from './compute-guards';
import { ARRANGEMENT_GUARDS, ENVELOPE_GUARDS, FORM_GUARDS, readBytes } from './envelope-guards';
import { MARKER_GUARDS } from './marker-guards';
import { MONEY_GUARDS } from './money-guards';
import { seenMessage, type SeenMessage } from './seen-message';

/** What holds of every message that may be signed for its operation. */
export const MESSAGE_GUARDS: readonly Guard<SeenMessage>[] = [
  ...ENVELOPE_GUARDS,
  ...COMPUTE_GUARDS,
  ...MARKER_GUARDS,
  ...MONEY_GUARDS,
  ...ARRANGEMENT_GUARDS,
];

/** The guard that a message breaks; null where it does what a well-formed operation says, and nothing else. */
export function brokenByMessage(
  bytes: Uint8Array,
  op: Operation,
  rules: Rules,
): { readonly code: SignerCode; readonly rule: string } | null {
  const read = readBytes(bytes);
  const malformed = brokenGuard(FORM_GUARDS, read);
  if (malformed !== null) return malformed;
  return brokenGuard(MESSAGE_GUARDS, seenMessage(read.message as Message, op, rules));
}

/** Why exactly these bytes are not signed for a well-formed operation; null where they may be. */
export const faultOfMessage = (
  message: Uint8Array,
  op: Operation,
  rules: Rules,
): SignerCode | null => brokenByMessage(message, op, rules)?.code ?? null;
