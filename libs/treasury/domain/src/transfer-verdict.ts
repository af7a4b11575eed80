import type { Attempt, DropProof } from './outgoing-transfer';

/** How far a transaction has come, as one node shows it. */
export interface ShownStatus {
  readonly slot: number;
  readonly commitment: 'processed' | 'confirmed' | 'finalized';
  /** In the chain’s words; null: it succeeded. */
  readonly error: string | null;
}

/** What one node shows of a transfer. The height was read first: nothing else is older. */
export interface TransferView {
  readonly finalized_block_height: number;
  /** In the order of the attempts; null: the node knows none. */
  readonly statuses: readonly (ShownStatus | null)[];
  /** At finalized. */
  readonly has_marker: boolean;
}

export type TransferVerdict =
  /** A transaction of it is final and succeeded. */
  | { readonly kind: 'landed'; readonly signature: string; readonly slot: number }
  /** The one that might have landed never will, and nothing of the transfer has. */
  | { readonly kind: 'dropped'; readonly signature: string; readonly proof: DropProof }
  /** None may land, and none has. */
  | { readonly kind: 'clear' }
  /** It may land, or may have. */
  | { readonly kind: 'unknown' };

/** Of what must not be believed of one node alone. */
const WITNESSES_MIN = 2;
const UNKNOWN: TransferVerdict = { kind: 'unknown' };

/**
 * What nodes together prove of a transfer. That it landed, two of them say, where there are two; that it did not,
 * and never will, all of them that answered say, of every transaction that was ever signed for it and of its marker,
 * which is there as long as one of them has landed. In whatever they differ, nothing is known.
 */
export function transferVerdict(
  attempts: readonly Attempt[],
  views: readonly TransferView[],
): TransferVerdict {
  if (views.length === 0) return UNKNOWN;
  const landed = landedAttempt(attempts, views);
  if (landed !== null) return landed;
  if (views.some((view) => mayHaveLanded(view))) return UNKNOWN;
  const at = attempts.findIndex(({ may_land }) => may_land);
  if (at < 0) return { kind: 'clear' };
  const { signature, last_valid_block_height } = attempts[at] as Attempt;
  const shown = views.map(({ statuses }) => statuses[at] ?? null);
  const finalized_block_height = Math.min(...views.map((view) => view.finalized_block_height));
  const proof = { finalized_block_height, nodes: views.length };
  const [first = null] = shown;
  if (shown.every((status) => status === null)) {
    const is_dead = finalized_block_height > last_valid_block_height;
    return is_dead ? { kind: 'dropped', signature, proof: { error: null, ...proof } } : UNKNOWN;
  }
  if (first === null || shown.some((status) => status?.commitment !== 'finalized')) return UNKNOWN;
  return { kind: 'dropped', signature, proof: { error: first.error, ...proof } };
}

function landedAttempt(
  attempts: readonly Attempt[],
  views: readonly TransferView[],
): TransferVerdict | null {
  const needed = Math.min(WITNESSES_MIN, views.length);
  for (const [index, { signature }] of attempts.entries()) {
    const witnesses = views
      .map(({ statuses }) => statuses[index] ?? null)
      .filter((status) => status?.commitment === 'finalized' && status.error === null);
    const [first = null] = witnesses;
    if (first !== null && witnesses.length >= needed) {
      return { kind: 'landed', signature, slot: first.slot };
    }
  }
  return null;
}

/** Any success at all, however new, and the marker, which only a success makes. */
const mayHaveLanded = ({ has_marker, statuses }: TransferView): boolean =>
  has_marker || statuses.some((status) => status !== null && status.error === null);
