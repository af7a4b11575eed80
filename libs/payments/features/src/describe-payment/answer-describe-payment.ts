import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { describePayment, modeOf, paymentIds, type PayableSummary } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { RUNTIME } from '@tender/http';
import { payment } from '../payment-details/payment.aggregate';

/** Answers other contexts that ask what a payer must know. */
@Injectable()
export class AnswerDescribePayment implements OnModuleInit {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  onModuleInit(): void {
    this.runtime.calls.answer(describePayment, ({ payment_id }) => this.describe(payment_id));
  }

  private async describe(payment_id: string): Promise<PayableSummary | null> {
    const mode = modeOf(paymentIds, payment_id);
    const known = mode && (await payment.read(this.runtime, mode, payment_id, null));
    if (!known) return null;
    const { merchant_id, token, token_amount, wallet_address, reference } = known.terms;
    const { return_url = null, cancel_url = null } = known.terms;
    return {
      ...{ payment_id, merchant_id, mode, token, token_amount, wallet_address, reference },
      ...{ return_url, cancel_url },
    };
  }
}
