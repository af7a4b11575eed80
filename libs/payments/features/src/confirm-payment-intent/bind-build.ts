import type { ConfirmPaymentIntentBody, RequestContext } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { invariant, isoTime } from '@tender/kernel';
import { checkoutOf, type BuiltTransaction, type PaymentTerms } from '@tender/payments-domain';
import { payment } from '../payment-details/payment.aggregate';
import { firstBuild } from './first-build';

const BINDER = 'payments.confirm-payment-intent';

/**
 * Binds the payment of an intent to the wallet that it was confirmed for, with what that is to sign. The repeat of a
 * confirm gets the build that there is, or makes it where the process died before. Null where the payment has gone on.
 */
export async function bindBuild(
  runtime: Runtime,
  caller: RequestContext,
  terms: PaymentTerms,
  body: ConfirmPaymentIntentBody,
  ready: BuiltTransaction | null,
): Promise<BuiltTransaction | null> {
  const { payment_id, merchant_id, mode } = terms;
  const known = await payment.load(runtime, mode, payment_id);
  invariant(known, 'the payment of a confirmed intent is there');
  if (known.status !== 'pending') return null;
  const { build: current } = checkoutOf(known);
  if (current !== null) return current.payer_wallet === body.customer_wallet ? current : null;

  const build = ready ?? (await firstBuild(runtime, caller, terms, body));
  const seen = { at: isoTime(runtime.clock.now()), finalized_height: 0, dropped: null };
  const command = { type: 'BuildTransaction', build, seen, replaces: null } as const;
  const handled = await payment.handle(runtime, mode, payment_id, command, {
    command_id: `${BINDER}:${payment_id}`,
    body_hash: null,
    merchant_id,
    actor: caller.actor,
    correlation_id: caller.correlation_id,
    causation_id: null,
  });
  return handled.ok ? checkoutOf(handled.state).build : null;
}
