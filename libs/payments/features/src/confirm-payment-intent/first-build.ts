import type { ConfirmPaymentIntentBody, RequestContext } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import type { BuiltTransaction, PaymentTerms } from '@tender/payments-domain';
import { buildDirect } from '../build-transaction/build-direct';
import { buildGasless } from '../build-transaction/build-gasless';

/**
 * What the wallet of a confirm is to sign, for a payment of which nothing was built: without a fee where that is
 * wanted and can be had, else with a fee of its own.
 */
export async function firstBuild(
  runtime: Pick<Runtime, 'calls' | 'chains' | 'log'>,
  caller: RequestContext,
  terms: PaymentTerms,
  { customer_wallet, payment_type, auto_gasless }: ConfirmPaymentIntentBody,
): Promise<BuiltTransaction> {
  const wants_no_fee = payment_type === 'gasless' || auto_gasless === true;
  const gasless = wants_no_fee
    ? await buildGasless(runtime, caller, terms, customer_wallet, null)
    : null;
  return gasless ?? buildDirect(runtime, terms, customer_wallet);
}
