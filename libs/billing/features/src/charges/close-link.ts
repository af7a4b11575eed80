import { closePaymentLink } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { invariant, type Mode } from '@tender/kernel';

export interface Closing {
  readonly mode: Mode;
  readonly merchant_id: string;
  readonly correlation_id: string;
}

/**
 * By that link no more payments begin. Closed twice, it is closed. Answers whether one that has begun is paid, or may
 * be yet.
 */
export async function closeLink(
  { calls }: Pick<Runtime, 'calls'>,
  { mode, merchant_id, correlation_id }: Closing,
  payment_link_id: string,
): Promise<boolean> {
  const command_id = `billing.close|${payment_link_id}`;
  const which = { payment_link_id, merchant_id };
  const closed = await calls.ask(closePaymentLink, which, { mode, correlation_id, command_id });
  invariant(closed.ok, `the link ${payment_link_id} is its merchant’s`);
  return closed.value.may_be_paid;
}
