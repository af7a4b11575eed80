import { computeBudgetOf, priorityLamports } from '@tender/transactions';
import { guard, type Guard } from '../guard';
import { once, type SeenMessage } from './seen-message';

/** What the transaction may compute, and what it offers for that. */
export const COMPUTE_GUARDS: readonly Guard<SeenMessage>[] = [
  once('compute_limit', 'tx_not_canonical', 'the limit of what is computed is set once'),
  once('compute_price', 'tx_not_canonical', 'the price of what is computed is set once'),
  guard('tx_priority_fee_too_high', 'the offer for priority is within its limit', (seen) => {
    const { unit_limit, unit_price } = computeBudgetOf(seen.message);
    return priorityLamports(unit_limit, unit_price) <= seen.rules.priority_lamports_max;
  }),
];
