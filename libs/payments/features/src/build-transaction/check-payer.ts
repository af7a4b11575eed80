import type { Runtime } from '@tender/eventing';
import { invalidParameter } from '@tender/http';
import type { PaymentTerms } from '@tender/payments-domain';
import { canSign, knownAccount } from '@tender/transactions';

/** A wallet that is to pay, and the field of the request that names it. */
export interface Payer {
  readonly wallet: string;
  readonly field: string;
}

/** Refuses an address that can pay nothing: without a key nothing is signed, who pays himself pays no merchant. */
export function checkPayer(
  { chains }: Pick<Runtime, 'chains'>,
  terms: Pick<PaymentTerms, 'mode' | 'wallet_address' | 'hold'>,
  { wallet, field }: Payer,
): void {
  const refuse = (message: string) => invalidParameter({ field, message });
  if (!canSign(wallet)) throw refuse('must be a wallet that can sign, not an account of a program');
  const is_mint = Object.values(chains[terms.mode].mints).includes(wallet);
  const known = is_mint ? 'mint' : knownAccount(wallet);
  if (known !== null) throw refuse(`must be a wallet that can sign, not a ${known}`);
  const merchants = [terms.wallet_address, terms.hold?.settlement_wallet];
  if (merchants.includes(wallet)) throw refuse('must be another wallet than the merchant’s own');
}
