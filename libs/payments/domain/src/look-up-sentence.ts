import type { Sentence } from '@tender/kernel';
import type { PaymentTerms } from './payment-terms';

/** How far the chain was searched for a payment's money. */
export interface LookedUp {
  /** Where the money would arrive. */
  readonly accounts: readonly string[];
  /** Time of the last block that was read; null before the first. */
  readonly up_to: string | null;
  /** Blocks of before the payment was heard of may name it, and were not asked for yet. */
  readonly look_up_due: boolean;
}

/** Why no money was found; `looked_up` is null where the search has not begun. */
export function lookUpSentence(
  { reference, created_at }: PaymentTerms,
  looked_up: LookedUp | null,
): Sentence {
  if (looked_up === null) {
    return {
      what: 'The money has not been looked for yet.',
      because: 'What reads the chain has not heard of the payment yet.',
      verdict: 'not_looked_for',
    };
  }
  const { accounts, up_to, look_up_due } = looked_up;
  if (up_to === null || up_to < created_at) {
    return {
      what: 'The chain has not been read since the payment was created.',
      because: `The last block that was read is of ${up_to ?? 'no time yet'}, the payment of ${created_at}.`,
      verdict: 'not_looked_for',
    };
  }
  const before = look_up_due
    ? 'Transactions of before the payment was heard of are still to be asked for.'
    : 'Nor does a block that was read before the payment was heard of.';
  return {
    what: `No transaction was found that names ${reference} or brings money with it.`,
    because: `No block up to ${up_to} names ${reference}, nor brings ${accounts.join(' or ')} money that names it. ${before}`,
    verdict: 'not_found',
  };
}
