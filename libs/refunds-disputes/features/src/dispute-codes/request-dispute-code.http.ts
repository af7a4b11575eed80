import { Body, Controller, Inject, Param } from '@nestjs/common';
import {
  inspectPayment,
  requestDisputeCode,
  type RequestContext,
  type RequestDisputeCodeAnswer,
  type RequestDisputeCodeBody,
} from '@tender/contracts';
import type { OfLeader, OneTimeCodes, Runtime } from '@tender/eventing';
import { Caller, notFound, RUNTIME, Serves, tooManyTries } from '@tender/http';
import { isoTime } from '@tender/kernel';
import { queueMails, type MailSender } from '@tender/mail';
import { MAIL_SENDER } from '../refunds-disputes';
import { REFUNDS_DISPUTES_SETTINGS, type RefundsDisputesSettings } from '../settings';
import { accountOf, disputeCodes, MAILS, placeOf } from './dispute-codes';

/** All requests for one payment and e-mail count together: its mailbox gets no more mails than its limit says. */
const ANY_CLIENT = 'any';

@Controller()
export class RequestDisputeCodeHttp {
  private readonly codes: OneTimeCodes;

  constructor(
    @Inject(RUNTIME) private readonly runtime: Runtime,
    @Inject(MAIL_SENDER) private readonly sender: OfLeader<MailSender>,
    @Inject(REFUNDS_DISPUTES_SETTINGS) { code_requests }: RefundsDisputesSettings,
  ) {
    this.codes = disputeCodes(runtime, code_requests);
  }

  /** Whether the payment knows that e-mail is not looked at: neither the answer nor its time can tell (S29). */
  @Serves(requestDisputeCode)
  async request(
    @Caller() { mode, correlation_id }: RequestContext,
    @Param('payment_id') payment_id: string,
    @Body() { customer_email, locale }: RequestDisputeCodeBody,
  ): Promise<RequestDisputeCodeAnswer> {
    const { calls, keyRing, clock } = this.runtime;
    const inspected = await calls.ask(inspectPayment, { payment_id }, { mode, correlation_id });
    if (inspected === null) throw notFound();
    const { merchant_id } = inspected.payment;
    const account = accountOf(keyRing, payment_id, customer_email);
    const request = { account, client: ANY_CLIENT, language: locale ?? 'en' } as const;
    const asked = await this.codes.ask(request, (tx, mail_ids) => {
      const to = { stream: placeOf(mode, account), mode, merchant_id, correlation_id };
      return queueMails(tx, MAILS, mail_ids.map((event_id) => ({ event_id, ...to })), clock.now());
    });
    if (asked.outcome === 'too_many') throw tooManyTries('Too many codes were requested.', asked);
    this.sender.current()?.wake();
    return { payment_id, customer_email, expires_at: isoTime(asked.ends_ms) };
  }
}
