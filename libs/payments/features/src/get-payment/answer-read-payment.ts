import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { modeOf, paymentIds, readPayment, type PaymentSnapshot } from '@tender/contracts';
import type { Asked, Runtime } from '@tender/eventing';
import { RUNTIME } from '@tender/http';
import { describedMerchant } from '../checkout-data/described-merchant';
import { payment } from '../payment-details/payment.aggregate';
import { renderPayment } from '../payment-details/render-payment';

/** Answers other contexts that pass a payment on to who asked them for it. */
@Injectable()
export class AnswerReadPayment implements OnModuleInit {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  onModuleInit(): void {
    this.runtime.calls.answer(readPayment, ({ payment_id }, asked) => this.read(payment_id, asked));
  }

  /** From the stream: who asks may have begun it a moment ago. */
  private async read(
    payment_id: string,
    asked: Asked,
  ): Promise<Required<PaymentSnapshot> | null> {
    const mode = modeOf(paymentIds, payment_id);
    const known = mode && (await payment.load(this.runtime, mode, payment_id));
    if (!known) return null;
    const asking = { ...asked, mode };
    const merchant = await describedMerchant(this.runtime, known.terms.merchant_id, asking);
    return renderPayment(known, merchant.name);
  }
}
