import { Body, Controller, Inject, Param, Res } from '@nestjs/common';
import {
  inspectPayment,
  openDispute,
  type DisputeAnswer,
  type InspectedPayment,
  type OpenDisputeBody,
  type RequestContext,
} from '@tender/contracts';
import { ownEvents, type OneTimeCodes, type Runtime } from '@tender/eventing';
import {
  accepted,
  ApiError,
  Caller,
  notFound,
  RUNTIME,
  Serves,
  tooManyTries,
  type RefusalAnswers,
} from '@tender/http';
import { invariant, type RefusalOf } from '@tender/kernel';
import type {
  OpenDispute,
  paymentCaseDecider,
  PaymentCaseEvent,
} from '@tender/refunds-disputes-domain';
import type { FastifyReply } from 'fastify';
import { accountOf, disputeCodes } from '../dispute-codes/dispute-codes';
import { emailOfAccount } from '../dispute-codes/known-email';
import { disputeIn } from '../disputes/dispute-in';
import { renderDispute } from '../disputes/render-dispute';
import { paymentCase } from '../payment-case/payment-case.aggregate';
import { newDispute } from './new-dispute';

const WRONG_CODE = [
  422,
  'otp_invalid',
  '`otp_code` is wrong, used or expired. Request another code.',
] as const;

const REFUSALS: RefusalAnswers<RefusalOf<typeof paymentCaseDecider, OpenDispute>> = {
  otp_invalid: WRONG_CODE,
  payment_not_disputable: [
    409,
    'payment_not_disputable',
    'Only a payment that is confirmed can be disputed.',
  ],
  wallet_mismatch: [
    409,
    'wallet_mismatch',
    'Another wallet has paid. Leave `customer_wallet` out, or send the wallet that paid.',
  ],
  dispute_exists: [
    409,
    'dispute_exists',
    'This payment has a dispute already. Another one can be opened once it is resolved.',
  ],
};

@Controller()
export class OpenDisputeHttp {
  private readonly codes: OneTimeCodes;

  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {
    this.codes = disputeCodes(runtime, null);
  }

  /**
   * Only an answer to a right code says what is wrong with the payment or the wallet (S29). The dispute names its code,
   * and so uses it up in the log; the row of the code follows. Where the process dies in between, a repeat finds the
   * dispute by its Idempotency-Key, and any other request finds the code used.
   */
  @Serves(openDispute)
  async open(
    @Caller() caller: RequestContext,
    @Param('payment_id') payment_id: string,
    @Body() body: OpenDisputeBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<DisputeAnswer> {
    const { runtime } = this;
    const { mode, correlation_id } = caller;
    const asking = { mode, correlation_id };
    const inspected = await runtime.calls.ask(inspectPayment, { payment_id }, asking);
    if (inspected === null) throw notFound();
    const account = accountOf(runtime.keyRing, payment_id, body.customer_email);
    let used: string | null = null;
    const { handled } = await paymentCase.request(runtime, caller, async (asked) => {
      const { merchant_id } = inspected.payment;
      const earlier = await this.openedBefore(asked, payment_id);
      if (earlier) return { id: payment_id, command: earlier, merchant_id };
      used = await this.rightCode(account, body.otp_code, inspected);
      const command = await newDispute(runtime, asked, inspected, body, used);
      const subject_ids = [command.dispute.customer_subject];
      return { id: payment_id, command, subject_ids, merchant_id };
    });
    const is_spent = handled.ok || handled.refusal === 'otp_invalid';
    if (used !== null && is_spent) await this.forget(account, used);
    const { state, events } = accepted(handled, REFUSALS, reply);
    const [opened] = ownEvents<PaymentCaseEvent>(events);
    invariant(opened?.type === 'DisputeOpened', 'this command opens a dispute');
    return renderDispute(runtime.keyRing, disputeIn(state, opened.data.dispute.dispute_id));
  }

  /** The command of this very request as the log has it: its code was right then, and is used. */
  private async openedBefore(
    { command_id, mode }: RequestContext,
    payment_id: string,
  ): Promise<OpenDispute | null> {
    const history = await paymentCase.history(this.runtime, mode, payment_id);
    const same = history.filter(({ metadata }) => metadata.command_id === command_id);
    const [event] = ownEvents<PaymentCaseEvent>(same);
    if (event?.type !== 'DisputeOpened') return null;
    const { dispute } = event.data;
    return { type: 'OpenDispute', dispute, payment_status: 'confirmed', named_wallet: null };
  }

  /** Its id. Throws 422 and 429. */
  private async rightCode(
    account: string,
    digits: string,
    inspected: InspectedPayment,
  ): Promise<string> {
    const tried = await this.codes.check(account, digits);
    if (tried.outcome === 'too_many') throw tooManyTries('Too many wrong codes were sent.', tried);
    const is_theirs =
      tried.outcome === 'right' &&
      // Of another e-mail a code was guessed that no mail has told.
      (await emailOfAccount(this.runtime.keyRing, inspected, account)) !== null;
    if (!is_theirs) throw new ApiError(...WRONG_CODE);
    return tried.code_id;
  }

  /** Its dispute is in the log: the answer does not depend on this. */
  private async forget(account: string, code_id: string): Promise<void> {
    try {
      await this.codes.usedUp(account, code_id);
    } catch (error) {
      this.runtime.log.warn({ err: error }, 'the row of a used code stays until it is over');
    }
  }
}
