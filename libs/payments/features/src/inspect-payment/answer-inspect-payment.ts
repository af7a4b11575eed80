import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { inspectPayment, modeOf, paymentIds, type InspectedPayment } from '@tender/contracts';
import type { Asked, Runtime } from '@tender/eventing';
import { RUNTIME } from '@tender/http';
import { holdStateOf } from '@tender/payments-domain';
import { payment } from '../payment-details/payment.aggregate';
import { renderPayment } from '../payment-details/render-payment';

/** Answers those who send money of a payment back, or hear a complaint about it. */
@Injectable()
export class AnswerInspectPayment implements OnModuleInit {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  onModuleInit(): void {
    this.runtime.calls.answer(inspectPayment, ({ payment_id }, asked) =>
      this.inspect(payment_id, asked),
    );
  }

  /** From the stream: nothing is sent back because of a row that is behind. */
  private async inspect(payment_id: string, { mode }: Asked): Promise<InspectedPayment | null> {
    if (modeOf(paymentIds, payment_id) !== mode) return null;
    const known = await payment.load(this.runtime, mode, payment_id);
    if (known === null) return null;
    const { terms, customer = null } = known;
    return {
      payment: renderPayment(known, null),
      amount_usd_cents: terms.amount_usd_cents,
      webhook_url: terms.webhook_url,
      customer: customer && {
        subject_id: customer.subject_id,
        email_sealed: customer.email_sealed,
      },
      hold: holdStateOf(known),
    };
  }
}
