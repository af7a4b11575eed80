/** Thrown when the program itself is wrong. Never caught to carry on, never used for a caller's mistake. */
export class InvariantViolation extends Error {
  override readonly name = 'InvariantViolation';
}

/** States what cannot be otherwise: `invariant(due > 0n, 'a payment is due an amount')`. */
export function invariant(condition: unknown, rule: string): asserts condition {
  if (!condition) throw new InvariantViolation(`broken invariant: ${rule}`);
}
