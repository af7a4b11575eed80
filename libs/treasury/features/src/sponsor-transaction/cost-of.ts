import type { Chain } from '@tender/eventing';
import { done, refuse, type Outcome } from '@tender/kernel';
import { transactionFee, type Message } from '@tender/transactions';
import type { Offer } from '@tender/treasury-domain';

/** What the chain keeps in a token account, at most. Lamports. */
export const RENT_OF_TOKEN_ACCOUNT = 2_039_280n;

export type CostFault = 'simulation_failed' | 'blockhash_expired' | 'unexpected_cost';

const DEAD_BLOCKHASH = 'BlockhashNotFound';

/**
 * What it costs the sponsor at most: the owner of an account that is there can close it before the transaction runs,
 * which then makes it at the sponsor’s cost. Lamports.
 */
export const highestCost = (
  message: Message,
  { creates_destination }: Pick<Offer, 'creates_destination'>,
): bigint => transactionFee(message) + (creates_destination ? RENT_OF_TOKEN_ACCOUNT : 0n);

/**
 * Lets the chain run it right before it is signed: it must succeed, and cost the sponsor the fee and the rent of the
 * merchant’s account, to the lamport.
 */
export async function simulated(
  chain: Pick<Chain, 'simulate'>,
  wire: Uint8Array,
  message: Message,
  { fee_payer, destination_account, creates_destination, slot: min_slot }: Offer,
): Promise<Outcome<null, CostFault>> {
  const accounts = [fee_payer, destination_account];
  const { error, lamports } = await chain.simulate(wire, { min_slot, accounts });
  if (error === DEAD_BLOCKHASH) return refuse('blockhash_expired');
  if (error !== null) return refuse('simulation_failed', { error });
  const [sponsors = 0n, gained = 0n] = lamports;
  const rent = creates_destination ? gained : 0n;
  const is_expected =
    -sponsors === transactionFee(message) + rent && rent <= RENT_OF_TOKEN_ACCOUNT;
  return is_expected ? done(null) : refuse('unexpected_cost');
}
