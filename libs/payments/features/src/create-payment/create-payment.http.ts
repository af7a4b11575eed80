import { Body, Controller, Inject, Res } from '@nestjs/common';
import {
  createPayment,
  type CreatePaymentAnswer,
  type CreatePaymentBody,
  type RequestContext,
} from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { accepted, Caller, invalidParameter, RUNTIME, Serves } from '@tender/http';
import type { FastifyReply } from 'fastify';
import { payment } from '../payment-details/payment.aggregate';
import { renderPayment } from '../payment-details/render-payment';
import { screenNewPayment } from '../screen-payment/screen-payment';
import { PAYMENT_SETTINGS, type PaymentSettings } from '../settings';
import { CREATE_REFUSALS, walletNotReady } from './create-refusals';
import { newPayment, sealedCustomer } from './new-payment';
import { priceOrder } from './price-order';

@Controller()
export class CreatePaymentHttp {
  constructor(
    @Inject(RUNTIME) private readonly runtime: Runtime,
    @Inject(PAYMENT_SETTINGS) private readonly settings: PaymentSettings,
  ) {}

  /** One question to fraud, one append and no look-up: wallet, name and limit of the merchant come with the request. */
  @Serves(createPayment)
  async create(
    @Caller() caller: RequestContext,
    @Body() body: CreatePaymentBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CreatePaymentAnswer> {
    await this.check(body);
    const { wallet } = caller;
    if (wallet === null) throw walletNotReady();
    const order = await priceOrder(this.runtime.rates, body);
    const customer = await sealedCustomer(this.runtime, caller, body.customer_email);
    const subject_ids = customer ? [customer.subject_id] : [];

    const { handled } = await payment.request(this.runtime, caller, async (asked) => {
      const merchant = { ...asked, wallet };
      const created = newPayment(this.runtime, this.settings, merchant, body, order, customer);
      const amount_max = BigInt(asked.amount_max);
      const command = { type: 'CreatePayment', payment: created, amount_max } as const;
      const customer_email = body.customer_email ?? null;
      await screenNewPayment(this.runtime, asked, command, { customer_email, asked_by: 'merchant' });
      return { id: created.terms.payment_id, command, subject_ids };
    });
    const { state } = accepted(handled, CREATE_REFUSALS, reply);
    const answer = renderPayment(state, caller.merchant_name);
    return { ...answer, payment_id: answer.id, token: answer.payment_token };
  }

  /** What the field rules of the route cannot say. */
  private async check({ webhook_url, split_recipients }: CreatePaymentBody): Promise<void> {
    if (split_recipients != null) {
      throw invalidParameter({ field: 'split_recipients', message: 'is not supported yet' });
    }
    if (webhook_url == null) return;
    const fault = await this.runtime.outbound.refusal(webhook_url);
    if (fault) throw invalidParameter({ field: 'webhook_url', message: fault });
  }
}
