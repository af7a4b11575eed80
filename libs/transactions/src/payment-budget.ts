import { MICRO } from './compute-budget';
import { paymentUnitLimit, type PaymentTransfer } from './payment-message';
import type { ComputeBudget } from './programs';
import { PRIORITY_LAMPORTS_MAX } from './template';

/** Who knows the prices of a network. */
interface Prices {
  /** What was lately offered for a unit by who wrote these accounts, in micro-lamports. */
  recentUnitPrices(addresses: readonly string[]): Promise<readonly bigint[]>;
}

/** Of recent prices: most blocks take it. */
const PERCENTILE = 0.75;
/** Where the network does not tell: a few hundred lamports, so that a busy one does not leave the payment behind. */
const PRICE_UNTOLD = 5_000n;

/** How much a payment's transaction may compute, and what it offers for that, sponsored or not. */
export function paymentBudget(
  network: Prices,
  { token, customer, recipient }: Pick<PaymentTransfer, 'token' | 'customer' | 'recipient'>,
): Promise<ComputeBudget> {
  const written = token ? [token.source, token.destination] : [customer, recipient];
  return usualBudget(network, written, paymentUnitLimit(token));
}

/**
 * So many units at the usual price of late for the accounts that are written, within our bound. A network that does
 * not tell its prices holds up no transaction.
 */
export async function usualBudget(
  network: Prices,
  written: readonly string[],
  unit_limit: number,
): Promise<ComputeBudget> {
  const recent = await network.recentUnitPrices(written).catch(() => [PRICE_UNTOLD]);
  const rising = [...recent].sort((one, other) => (one < other ? -1 : 1));
  const usual = rising[Math.floor(rising.length * PERCENTILE)] ?? 0n;
  const most = (PRIORITY_LAMPORTS_MAX * MICRO) / BigInt(unit_limit);
  return { unit_limit, unit_price: usual < most ? usual : most };
}
