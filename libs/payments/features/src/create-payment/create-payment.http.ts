import { Body, Controller, Inject, Res } from '@nestjs/common';
import {
  createPayment,
  type CreatePaymentAnswer,
  type CreatePaymentBody,
  type RequestContext,
} from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import {
  ApiError,
  Caller,
  invalidParameter,
  onceADay,
  originOf,
  refused,
  RUNTIME,
  Serves,
  tellPosition,
  type RefusalAnswers,
} from '@tender/http';
import { fromUnits, invariant } from '@tender/kernel';
import type { PaymentRefusal } from '@tender/payments-domain';
import type { FastifyReply } from 'fastify';
import { renderPayment } from '../payment-details/render-payment';
import { paymentHandler, paymentStream, type HandlePayment } from '../payment-stream';
import { PAYMENT_SETTINGS, type PaymentSettings } from '../settings';
import { newPayment, sealedCustomer } from './new-payment';
import { priceOrder } from './price-order';

@Controller()
export class CreatePaymentHttp {
  private readonly handle: HandlePayment;

  constructor(
    @Inject(RUNTIME) private readonly runtime: Runtime,
    @Inject(PAYMENT_SETTINGS) private readonly settings: PaymentSettings,
  ) {
    this.handle = paymentHandler(runtime);
  }

  /** One append and no look-up: wallet, name and limit of the merchant come with the request. */
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

    const { handled } = await onceADay(this.runtime, caller, async (asked) => {
      const merchant = { ...asked, wallet };
      const payment = newPayment(this.runtime, this.settings, merchant, body, order, customer);
      const stream = paymentStream(asked.mode, payment.terms.payment_id);
      const amount_max = BigInt(asked.amount_max);
      const subject_ids = customer ? [customer.subject_id] : [];
      const command = { type: 'CreatePayment', payment, amount_max } as const;
      const origin = { ...originOf(asked), subject_ids };
      return { stream, handled: await this.handle(stream, command, origin) };
    });
    if (!handled.ok) {
      const details = { amount_max_usd: fromUnits(BigInt(caller.amount_max), 2) };
      const { refusal } = handled;
      throw refused(CREATE_REFUSALS, refusal === 'amount_too_large' ? { refusal, details } : handled);
    }
    invariant(handled.state.status !== 'unknown', 'a created payment is known');
    tellPosition(reply, handled);
    const payment = renderPayment(handled.state, caller.merchant_name);
    return { ...payment, payment_id: payment.id, token: payment.payment_token };
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

const walletNotReady = (): ApiError =>
  new ApiError(
    409,
    'wallet_not_ready',
    'The merchant has no wallet yet. Open the passkey set-up URL of the sign-up answer first.',
  );

/** An id derives from 128 bits of its request: where it exists, it is another request’s that cannot be. */
const IMPOSSIBLE = [500, 'internal_error', 'Something went wrong on our side.'] as const;

const CREATE_REFUSALS: RefusalAnswers<PaymentRefusal> = {
  amount_too_large: [
    422,
    'amount_too_large',
    'The amount is above the merchant’s maximum. Ask for less, or split the order.',
  ],
  payment_exists: IMPOSSIBLE,
  payment_unknown: IMPOSSIBLE,
  credit_wrong_mint: IMPOSSIBLE,
  credit_short: IMPOSSIBLE,
  credit_late: IMPOSSIBLE,
  credit_duplicate: IMPOSSIBLE,
  expiry_too_early: IMPOSSIBLE,
};
