import type { Chain } from '@tender/eventing';
import { done, refuse, type Outcome } from '@tender/kernel';
import { transactionFee, type Transaction } from '@tender/transactions';
import type { Offer } from '@tender/treasury-domain';

/** What the chain keeps in a token account, at most. Lamports. */
export const RENT_OF_TOKEN_ACCOUNT = 2_039_280n;

export type CostFault = 'simulation_failed' | 'blockhash_expired' | 'unexpected_cost';

const DEAD_BLOCKHASH = 'BlockhashNotFound';

/**
 * Lets the chain run it right before it is signed: it must succeed, and cost the sponsor the fee and the rent of the
 * merchant’s account, to the lamport. Answers what it may cost: the owner of an account that is there can close it
 * before the transaction runs, which then makes it at the sponsor’s cost.
 */
export async function costOf(
  chain: Pick<Chain, 'simulate'>,
  wire: Uint8Array,
  { message }: Transaction,
  { fee_payer, destination_account, creates_destination, slot: min_slot }: Offer,
): Promise<Outcome<bigint, CostFault>> {
  const accounts = [fee_payer, destination_account];
  const { error, lamports } = await chain.simulate(wire, { min_slot, accounts });
  if (error === DEAD_BLOCKHASH) return refuse('blockhash_expired');
  if (error !== null) return refuse('simulation_failed', { error });
  const [sponsors = 0n, gained = 0n] = lamports;
  const fee = transactionFee(message);
  const rent = creates_destination ? gained : 0n;
  const is_expected = -sponsors === fee + rent && rent <= RENT_OF_TOKEN_ACCOUNT;
  if (!is_expected) return refuse('unexpected_cost');
  return done(creates_destination ? fee + RENT_OF_TOKEN_ACCOUNT : fee);
}
