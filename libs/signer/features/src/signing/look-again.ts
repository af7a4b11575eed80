import type { Operation, SignerCode } from '@tender/threshold';
import { openBeside } from '../ledger/operations';
import type { SignerParts } from '../service/ports';
import { stateNow } from './observe';

/** What shares that are out may be the reason of. */
const BECAUSE_OF_OPEN: ReadonlySet<SignerCode> = new Set([
  ...(['op_already_in_flight', 'credit_exceeded', 'day_limit_exceeded'] as const),
]);

/**
 * Whether it is worth to judge again: one of the shares that stood in the way cannot land any more, or has landed, by
 * this signer’s own chain. It finds that out by itself: a signature that treasury keeps back holds up no other transfer
 * for longer than it can land.
 */
export async function lookAgain(
  parts: SignerParts,
  op: Operation,
  refused: SignerCode,
): Promise<boolean> {
  if (!BECAUSE_OF_OPEN.has(refused)) return false;
  const ids = await openBeside(parts.ledger, op, refused === 'day_limit_exceeded');
  const states = await Promise.all(ids.map((id) => stateNow(parts, id)));
  return states.some((state) => state !== 'share_out');
}
