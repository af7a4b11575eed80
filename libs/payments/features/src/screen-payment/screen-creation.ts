import type { Runtime } from '@tender/eventing';
import { decide } from '@tender/kernel';
import {
  paymentAfter,
  paymentDecider,
  UNKNOWN_PAYMENT,
  type CreatePayment,
} from '@tender/payments-domain';
import { screenPayment, type Asker } from './screen-payment';

/**
 * Before a payment is stored, and before a use of its link is taken. What would be refused anyway is no business of
 * fraud, and counts nowhere.
 */
export async function screenCreation(
  runtime: Pick<Runtime, 'calls' | 'eventStore' | 'keyRing'>,
  asked: Asker,
  command: CreatePayment,
  customer_email: string | null,
): Promise<void> {
  const decision = decide(paymentDecider, command, UNKNOWN_PAYMENT);
  const [created] = decision.ok ? decision.events : [];
  if (created === undefined) return;
  await screenPayment(runtime, asked, {
    stage: 'create',
    payment: paymentAfter(created),
    customer_wallet: null,
    customer_email,
  });
}
