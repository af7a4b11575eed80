import { offerSponsorship, withdrawSponsorship, type RequestContext } from '@tender/contracts';
import { Unavailable, type Runtime } from '@tender/eventing';
import { refusalAnswer } from '@tender/http';
import { refuse } from '@tender/kernel';
import type { BuiltTransaction, PaymentTerms } from '@tender/payments-domain';
import { CHECKOUT_REFUSALS } from './payable-payment';

type Asker = Pick<RequestContext, 'command_id' | 'correlation_id' | 'client_address'>;

/**
 * A transaction whose fee treasury pays; null where it does not, for whatever reason: a direct one always works.
 * `current` is the gasless build before: it is the answer as long as treasury would sign it, or cannot be asked.
 */
export async function buildGasless(
  { calls, log }: Pick<Runtime, 'calls' | 'log'>,
  { command_id, correlation_id, client_address }: Asker,
  terms: PaymentTerms,
  payer_wallet: string,
  current: BuiltTransaction | null,
): Promise<BuiltTransaction | null> {
  const { payment_id, merchant_id, mode, token, token_mint, reference, expires_at } = terms;
  const transfer = {
    ...{ payment_id, merchant_id, token, token_mint, reference, expires_at, client_address },
    customer_wallet: payer_wallet,
    amount: terms.token_amount,
    recipient: terms.wallet_address,
    standing: current?.message ?? null,
  };
  try {
    const asking = { mode, correlation_id, command_id: `${command_id}|offer` };
    const offered = await calls.ask(offerSponsorship, transfer, asking);
    if (offered.ok) return { payer_wallet, is_gasless: true, ...offered.value };
    // What it has signed may land: a second transaction would pay twice.
    if (offered.refusal !== 'submission_in_flight') return null;
    throw refusalAnswer(refuse(offered.refusal), CHECKOUT_REFUSALS);
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    log.warn({ correlation_id, reason: error.message }, 'treasury offers no sponsorship');
    return current;
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
