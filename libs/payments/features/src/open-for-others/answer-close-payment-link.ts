import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { closePaymentLink, type ClosedPaymentLink } from '@tender/contracts';
import type { Asked, Runtime } from '@tender/eventing';
import { RUNTIME } from '@tender/http';
import { done, invariant, isoTime, refuse, type Mode, type Outcome } from '@tender/kernel';
import type { KnownPaymentLink } from '@tender/payments-domain';
import { payment } from '../payment-details/payment.aggregate';
import { paymentLink } from '../payment-links/payment-link.aggregate';
import { originOfCall } from './origin-of-call';

interface Which {
  readonly payment_link_id: string;
  readonly merchant_id: string;
}

/** A context whose link stands for something closes it when that is settled or dropped. */
@Injectable()
export class AnswerClosePaymentLink implements OnModuleInit {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  onModuleInit(): void {
    this.runtime.calls.answer(closePaymentLink, (which, asked) => this.close(which, asked));
  }

  private async close(
    { payment_link_id, merchant_id }: Which,
    asked: Asked,
  ): Promise<Outcome<ClosedPaymentLink, 'payment_link_not_found'>> {
    const mode = asked.mode as Mode;
    const link = await paymentLink.load(this.runtime, mode, payment_link_id);
    if (link?.terms.merchant_id !== merchant_id) return refuse('payment_link_not_found');
    const closed_at = isoTime(this.runtime.clock.now());
    const command = { type: 'ClosePaymentLink', closed_at } as const;
    const origin = originOfCall(asked, merchant_id);
    const handled = await paymentLink.handle(this.runtime, mode, payment_link_id, command, origin);
    invariant(handled.ok, 'the close of a link that there is is not refused');
    // As it is by now: a close that is asked for again is answered with what the link was at the first.
    const closed = (await paymentLink.load(this.runtime, mode, payment_link_id)) ?? link;
    return done({ payment_link_id, may_be_paid: await this.mayBePaid(closed) });
  }

  /** What holds its use has ended before the link hears of that: the payment itself is asked. */
  private async mayBePaid({ terms, holds, used }: KnownPaymentLink): Promise<boolean> {
    if (!terms.is_for_one_thing || used > 0) return true;
    const held = await Promise.all(
      Object.keys(holds).map((id) => payment.load(this.runtime, terms.mode, id)),
    );
    return held.some((known) => known?.status !== 'expired' && known?.status !== 'failed');
  }
}
