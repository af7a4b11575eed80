import { inspectPayment, type InspectedPayment } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { notFound } from '@tender/http';
import type { Mode } from '@tender/kernel';
import type { RefundedPayment } from '@tender/refunds-disputes-domain';

interface Asker {
  readonly merchant_id: string;
  readonly mode: Mode;
  readonly correlation_id: string;
}

/** What a refund needs of the payment, as its own stream has it now. Throws 404 where it is not the asker’s. */
export async function refundedPayment(
  { calls }: Pick<Runtime, 'calls'>,
  { merchant_id, mode, correlation_id }: Asker,
  payment_id: string,
): Promise<RefundedPayment> {
  const inspected = await calls.ask(inspectPayment, { payment_id }, { mode, correlation_id });
  if (inspected?.payment.merchant_id !== merchant_id) throw notFound();
  return asRefunded(inspected);
}

/** The same of a payment that was inspected before. */
export const asRefunded = ({
  payment,
  amount_usd_cents,
  customer,
  hold,
  webhook_url,
}: InspectedPayment): RefundedPayment => ({
  payment_id: payment.id,
  merchant_id: payment.merchant_id,
  mode: payment.mode,
  status: payment.status,
  amount_usd_cents,
  token: payment.payment_token,
  token_amount: payment.token_amount,
  customer_wallet: payment.customer_wallet,
  transaction_signature: payment.transaction_signature,
  hold,
  customer_subject: customer?.subject_id ?? null,
  customer_email_sealed: customer?.email_sealed ?? null,
  webhook_url,
});
