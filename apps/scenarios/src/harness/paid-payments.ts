import { eventually } from './eventually';
import type { Merchant } from './merchants';

/** A payment that went to the merchant’s own wallet. */
export interface PaidPayment {
  readonly id: string;
  /** The wallet that paid. */
  readonly payer: string;
  /** Base units of what was paid. */
  readonly amount: bigint;
}

/** Creates a payment with this body and pays it; answers once the payment is confirmed. */
export async function paidPayment(
  { api }: Pick<Merchant, 'api'>,
  body: Readonly<Record<string, unknown>>,
): Promise<PaidPayment> {
  const created = await api.post('/api/v1/payments', body);
  if (created.status !== 200) throw new Error(`no payment: ${created.status} ${created.text}`);
  const { id } = created.json;
  const helped = await api.post('/api/v1/test_helpers/pay', { payment_id: id });
  if (helped.status !== 200) throw new Error(`${id} was not paid: ${helped.status} ${helped.text}`);
  const { json } = await eventually(
    () => api.get(`/api/v1/payments/${id}`),
    ({ json: payment }) => payment.status === 'confirmed',
  );
  return { id, payer: helped.json.wallet, amount: BigInt(json.token_amount) };
}
