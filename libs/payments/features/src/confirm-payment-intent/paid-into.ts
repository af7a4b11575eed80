import { operatingWallet, type RequestContext } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { ApiError } from '@tender/http';
import type { HoldTerms, IntentTerms } from '@tender/payments-domain';
import { walletNotReady } from '../create-payment/create-refusals';

/** Where the money of an intent comes to, and where it goes from there, if it waits. */
export interface PaidInto {
  readonly wallet: string;
  readonly hold?: HoldTerms;
}

/**
 * The merchant’s own wallet, or for money that is held its operating wallet, which is made at its first need. Throws
 * 409 while the merchant has not the one or the other, 503 where treasury does not answer.
 */
export async function paidInto(
  { calls }: Pick<Runtime, 'calls'>,
  { merchant_id, mode, correlation_id, command_id, wallet }: RequestContext,
  { capture_method }: Pick<IntentTerms, 'capture_method'>,
): Promise<PaidInto> {
  if (wallet === null) throw walletNotReady();
  if (capture_method === 'automatic') return { wallet };
  const asking = { mode, correlation_id, command_id: `${command_id}|operating-wallet` };
  const opened = await calls.ask(operatingWallet, { merchant_id }, asking);
  if (!opened.ok || opened.value === null) throw operatingWalletNotReady();
  const { address, settlement_wallet } = opened.value;
  // What could never be settled is not taken.
  if (settlement_wallet === null) throw operatingWalletNotReady();
  return { wallet: address, hold: { settlement_wallet } };
}

const operatingWalletNotReady = (): ApiError =>
  new ApiError(
    409,
    'wallet_not_ready',
    'The operating wallet, in which the money is to wait, is not there yet. Try again in a moment.',
  );
