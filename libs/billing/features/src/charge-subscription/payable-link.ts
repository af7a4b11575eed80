import { chargeToPay, type OpenedCharge } from '@tender/billing-domain';
import type { Runtime } from '@tender/eventing';
import { invariant, type Mode } from '@tender/kernel';
import { subscription } from '../subscriptions/subscription.aggregate';

/** By which link the subscription is paid now; null where nothing is to be paid, or its link is still to come. */
export async function payableLink(
  runtime: Pick<Runtime, 'eventStore'>,
  mode: Mode,
  id: string,
): Promise<OpenedCharge | null> {
  const now = await subscription.load(runtime, mode, id);
  invariant(now, `${id} is there before what follows from it`);
  return chargeToPay(now).ok ? now.opened : null;
}
