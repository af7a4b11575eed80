import type { Credit } from './credits-of';
import { payerOf } from './credits-of';
import type { SeenTransaction } from './transaction';
import type { Watch } from './watch';

/** Why money that names a payment does not pay it. */
export type Unpaying =
  | 'late'
  | 'short'
  | 'duplicate'
  | 'wrong_mint'
  | 'wrong_account'
  | 'failed_on_chain';

/**
 * What a credit is to a watch that its transaction names: the payment's money, or money with a reason.
 * On time means block time ≤ `expires_at`, without grace (C1).
 */
export function judgeCredit(credit: Credit, watch: Watch): 'pays' | Unpaying {
  if (credit.mint !== watch.mint || !credit.classic) return 'wrong_mint';
  if (watch.state === 'paid') return 'duplicate';
  if (watch.state === 'closed' || credit.block_time * 1000 > watch.expires_at_ms) return 'late';
  if (credit.amount < watch.due) return 'short';
  return (credit.by_account.get(watch.account) ?? 0n) < watch.due ? 'wrong_account' : 'pays';
}

/** A watch that a transaction names without bringing its merchant anything. */
export interface Notice<Kept extends Watch = Watch> {
  readonly watch: Kept;
  readonly reason: 'failed_on_chain' | 'wrong_account';
  readonly from_wallet: string | null;
}

/**
 * Transactions that name a payment and pay its merchant nothing: failed ones, and those that pay
 * another wallet what is due. Pay-and-take-back and self-transfers move nothing, so there is no notice of them.
 */
export function noticesOf<Kept extends Watch>(
  transaction: SeenTransaction,
  named: readonly Kept[],
  credits: readonly Credit[],
): readonly Notice<Kept>[] {
  return named.flatMap((watch): Notice<Kept>[] => {
    if (watch.state !== 'open') return [];
    const from_wallet = payerOf(transaction, watch.mint) ?? transaction.fee_payer;
    if (transaction.failed) return [{ watch, reason: 'failed_on_chain', from_wallet }];
    if (credits.some(({ wallet }) => wallet === watch.wallet)) return [];
    return paysAnotherWallet(transaction, watch) ? [{ watch, reason: 'wrong_account', from_wallet }] : [];
  });
}

function paysAnotherWallet(transaction: SeenTransaction, watch: Watch): boolean {
  const net = new Map<string, bigint>();
  for (const { owner, mint, delta } of transaction.changes) {
    if (mint === watch.mint) net.set(owner, (net.get(owner) ?? 0n) + delta);
  }
  return [...net].some(
    ([owner, delta]) =>
      owner !== watch.wallet &&
      delta > 0n &&
      (watch.mint !== null || transaction.sol_transfer_destinations.includes(owner)),
  );
}

/** The watches that a transaction names, in the order of its account keys, each once. */
export function namedWatches<Kept extends Watch>(
  transaction: SeenTransaction,
  byReference: (reference: string) => Kept | undefined,
): readonly Kept[] {
  const named = new Map<string, Kept>();
  for (const key of transaction.account_keys) {
    const watch = byReference(key);
    if (watch && !named.has(key)) named.set(key, watch);
  }
  return [...named.values()];
}
