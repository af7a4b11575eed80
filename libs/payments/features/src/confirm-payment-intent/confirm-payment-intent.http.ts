import { Body, Controller, Inject, Param, Res } from '@nestjs/common';
import {
  confirmPaymentIntent,
  type ConfirmPaymentIntentAnswer,
  type ConfirmPaymentIntentBody,
  type NextAction,
  type RequestContext,
} from '@tender/contracts';
import { InTurn, ownEvent, type Runtime } from '@tender/eventing';
import { accepted, Caller, notFound, RUNTIME, Serves } from '@tender/http';
import { invariant, isoTime } from '@tender/kernel';
import {
  unconfirmable,
  type BuiltTransaction,
  type KnownPaymentIntent,
  type PaymentIntentEvent,
  type PaymentTerms,
} from '@tender/payments-domain';
import type { FastifyReply } from 'fastify';
import { signingText, unsigned } from '../build-transaction/render-build';
import { makeHeldPayment } from '../pay-payment-link/make-held-payment';
import { isClientSecret } from '../payment-intents/client-secret';
import { paymentIntent } from '../payment-intents/payment-intent.aggregate';
import { renderPaymentIntent } from '../payment-intents/render-payment-intent';
import { PAYMENT_SETTINGS, type PaymentSettings } from '../settings';
import { bindBuild } from './bind-build';
import { CONFIRM_REFUSALS, refuseLocked, wrongClientSecret } from './confirm-refusals';
import { readyPayment, type ReadyPayment } from './ready-payment';

@Controller()
export class ConfirmPaymentIntentHttp {
  /** Of two confirms at once the second finds what the first has made, and asks fraud and the chain nothing. */
  private readonly in_turn = new InTurn();

  constructor(
    @Inject(RUNTIME) private readonly runtime: Runtime,
    @Inject(PAYMENT_SETTINGS) private readonly settings: PaymentSettings,
  ) {}

  @Serves(confirmPaymentIntent)
  confirm(
    @Caller() caller: RequestContext,
    @Param('id') id: string,
    @Body() body: ConfirmPaymentIntentBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ConfirmPaymentIntentAnswer> {
    return this.in_turn.run(id, async () => {
      const known = await this.intentNow(caller, id);
      const now = isoTime(this.runtime.clock.now());
      const has_secret = hasSecret(known, body);
      const can_go_on = has_secret && unconfirmable(known, now) === null;
      const ready = can_go_on ? await this.ready(caller, known, body) : null;
      return this.answer(caller, { id, has_secret, ready, now }, body, reply);
    });
  }

  /** From its stream: what is decided here is decided on what is true now. */
  private async intentNow(
    { mode, merchant_id }: RequestContext,
    id: string,
  ): Promise<KnownPaymentIntent> {
    const known = await paymentIntent.load(this.runtime, mode, id);
    if (known?.terms.merchant_id !== merchant_id) throw notFound();
    return known;
  }

  private ready(
    caller: RequestContext,
    { terms }: KnownPaymentIntent,
    body: ConfirmPaymentIntentBody,
  ): Promise<ReadyPayment> {
    return readyPayment(this.runtime, this.settings, caller, terms, body);
  }

  /** The confirm is in the log before its payment exists; what makes the payment is in it, and comes from there. */
  private async answer(
    caller: RequestContext,
    { id, has_secret, ready, now }: Attempt,
    body: ConfirmPaymentIntentBody,
    reply: FastifyReply,
  ): Promise<ConfirmPaymentIntentAnswer> {
    const { handled } = await paymentIntent.request(this.runtime, caller, () => ({
      id,
      command: {
        ...{ type: 'ConfirmPaymentIntent', has_secret, now },
        ready: ready && { paid_by: ready.paid_by, payment: ready.payment },
      } as const,
    }));
    refuseLocked(handled, this.runtime.clock.now());
    const { events, state } = accepted(handled, CONFIRM_REFUSALS, reply);
    const [stored] = events;
    invariant(stored, 'a confirm that is not refused is an event');
    const confirmed = ownEvent<PaymentIntentEvent>(stored);
    if (confirmed.type !== 'PaymentIntentConfirmed') throw wrongClientSecret();

    const { payment, paid_by } = confirmed.data;
    const held = { payment, actor: stored.metadata.actor };
    await makeHeldPayment(this.runtime, caller.mode, held, caller.correlation_id);
    const build = await bindBuild(this.runtime, caller, payment.terms, body, ready?.build ?? null);
    return {
      ...renderPaymentIntent(state),
      payment_id: paid_by.payment_id,
      next_action: build && nextAction(payment.terms, build),
    };
  }
}

interface Attempt {
  readonly id: string;
  readonly has_secret: boolean;
  readonly ready: ReadyPayment | null;
  readonly now: string;
}

function hasSecret(
  { client_secret_hash }: KnownPaymentIntent,
  { client_secret }: ConfirmPaymentIntentBody,
): boolean {
  invariant(client_secret_hash, 'an intent has a client secret');
  return isClientSecret(client_secret, client_secret_hash);
}

const nextAction = (terms: PaymentTerms, build: BuiltTransaction): NextAction => ({
  type: 'sign_transaction',
  transaction: unsigned(build),
  message: signingText(terms),
  is_gasless: build.is_gasless,
  requires_backend_submission: build.is_gasless,
});
