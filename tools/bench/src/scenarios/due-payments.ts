import type { ScriptedTransaction } from '../chain/fake-chain-spec';
import { payingTransaction } from '../chain/synthetic-block';

/** A payment and the transaction that pays it. */
export interface Due {
  readonly payment_id: string;
  readonly transfer: ScriptedTransaction;
}

const KEY = '7EqQdEULxWcraVx3mXKFjc84LhCkMGZCkRuDpvcMwJeK';

/** For a follower that checks nothing but the reference. */
export function madeUp(number: number): Due & { readonly reference: string } {
  const reference = `reference${number}`;
  const transfer = { mint: KEY, recipient: KEY, account: KEY, reference, amount: '5000000' };
  return { payment_id: `p${number}`, reference, transfer: payingTransaction(transfer) };
}
