import { Body, Controller, Inject, Res } from '@nestjs/common';
import {
  createPaymentLink,
  type CreatePaymentLinkBody,
  type PaymentLinkAnswer,
  type RequestContext,
} from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import {
  accepted,
  Caller,
  refuseWhatIsNotBuilt,
  RUNTIME,
  Serves,
  type RefusalAnswers,
} from '@tender/http';
import { isoTime, type RefusalOf } from '@tender/kernel';
import type { CreatePaymentLink, paymentLinkDecider } from '@tender/payments-domain';
import type { FastifyReply } from 'fastify';
import { AMOUNT_TOO_LARGE, NOT_NEW, walletNotReady } from '../create-payment/create-refusals';
import { wholeCustomer } from '../customers/customers';
import { paymentLink } from '../payment-links/payment-link.aggregate';
import { renderPaymentLink } from '../payment-links/render-payment-link';
import { PAYMENT_SETTINGS, type PaymentSettings } from '../settings';
import { newPaymentLink } from './new-payment-link';

const REFUSALS: RefusalAnswers<RefusalOf<typeof paymentLinkDecider, CreatePaymentLink>> = {
  amount_too_large: AMOUNT_TOO_LARGE,
  payment_link_exists: NOT_NEW,
};

@Controller()
export class CreatePaymentLinkHttp {
  constructor(
    @Inject(RUNTIME) private readonly runtime: Runtime,
    @Inject(PAYMENT_SETTINGS) private readonly settings: PaymentSettings,
  ) {}

  @Serves(createPaymentLink)
  async create(
    @Caller() caller: RequestContext,
    @Body() body: CreatePaymentLinkBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PaymentLinkAnswer> {
    // The on-ramp is not built.
    refuseWhatIsNotBuilt(body, 'onramp', 'payer_service_charge');
    if (caller.wallet === null) throw walletNotReady();
    const { handled } = await paymentLink.request(this.runtime, caller, async (asked) => {
      const link = await newPaymentLink(this.runtime, this.settings, asked, body);
      const amount_max = BigInt(asked.amount_max);
      return {
        id: link.link.payment_link_id,
        command: { type: 'CreatePaymentLink', link, amount_max } as const,
        subject_ids: link.customer ? [link.customer.subject_id] : [],
      };
    });
    const { state } = accepted(handled, REFUSALS, reply);
    return renderPaymentLink(state, {
      uses: 0,
      customer: body.customer ? wholeCustomer(body.customer) : null,
      now: isoTime(this.runtime.clock.now()),
      to_owner: true,
    });
  }
}
