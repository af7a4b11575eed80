import { offerSponsorship, withdrawSponsorship, type RequestContext } from '@tender/contracts';
import { Unavailable, type Runtime } from '@tender/eventing';
import { refusalAnswer } from '@tender/http';
import type { BuiltTransaction, PaymentTerms } from '@tender/payments-domain';
import { CHECKOUT_REFUSALS } from './payable-payment';

type Asker = Pick<RequestContext, 'command_id' | 'correlation_id' | 'client_address'>;

/** A transaction whose fee treasury pays; null where it does not, for whatever reason: a direct one always works. */
export async function buildGasless(
  { calls, log }: Pick<Runtime, 'calls' | 'log'>,
  { command_id, correlation_id, client_address }: Asker,
  terms: PaymentTerms,
  payer_wallet: string,
): Promise<BuiltTransaction | null> {
  const { payment_id, merchant_id, mode, token, token_mint, reference, expires_at } = terms;
  const transfer = {
    ...{ payment_id, merchant_id, token, token_mint, reference, expires_at, client_address },
    customer_wallet: payer_wallet,
    amount: terms.token_amount,
    recipient: terms.wallet_address,
  };
  try {
    const asking = { mode, correlation_id, command_id: `${command_id}|offer` };
    const offered = await calls.ask(offerSponsorship, transfer, asking);
    if (offered.ok) return { payer_wallet, is_gasless: true, ...offered.value };
    const { refusal } = offered;
    if (refusal === 'gasless_unavailable') return null;
    throw refusalAnswer({ ok: false, refusal }, CHECKOUT_REFUSALS);
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    log.warn({ correlation_id, reason: error.message }, 'treasury offers no sponsorship');
    return null;
  }
}

/** From here on treasury signs no gasless transaction of the payment. Throws where it has signed one. */
export async function withdrawGasless(
  { calls }: Pick<Runtime, 'calls'>,
  { command_id, correlation_id }: Asker,
  { payment_id, mode }: PaymentTerms,
): Promise<void> {
  const asking = { mode, correlation_id, command_id: `${command_id}|withdraw` };
  const withdrawn = await calls.ask(withdrawSponsorship, { payment_id }, asking);
  if (!withdrawn.ok) throw refusalAnswer(withdrawn, CHECKOUT_REFUSALS);
}
