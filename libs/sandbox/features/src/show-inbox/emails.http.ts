import { Controller, Inject, Query } from '@nestjs/common';
import {
  INBOXES,
  readEmails,
  type EmailAnswer,
  type EmailsQuery,
  type KeptMail,
  type RequestContext,
} from '@tender/contracts';
import type { InboxMail, Runtime } from '@tender/eventing';
import { ApiError, Caller, RUNTIME, Serves } from '@tender/http';

@Controller()
export class EmailsHttp {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  /** Those that the contexts send which write to people, accounts from the gateway’s own process. */
  @Serves(readEmails)
  async read(
    @Caller() { merchant_id, mode, asker, correlation_id }: RequestContext,
    @Query() { to }: EmailsQuery,
  ): Promise<readonly EmailAnswer[]> {
    const question = {
      merchant: asker.kind === 'admin' ? null : { merchant_id, mode },
      to: to ?? null,
    };
    const { calls, mail } = this.runtime;
    const asking = { mode, correlation_id };
    const inboxes = await Promise.all(INBOXES.map((inbox) => calls.ask(inbox, question, asking)));
    if (inboxes.some(({ mails }) => mails === null) || mail.inbox === null) throw sentElsewhere();
    const mails = inboxes.flatMap((inbox) => inbox.mails ?? []);
    const { merchant } = question;
    const own = mail.inbox.list({ ...merchant, ...(to == null ? {} : { to }) });
    const answers = [...own.map(ownAnswer), ...mails.map(answerOf)];
    // In one process all are one inbox.
    const once = new Map(answers.map((one) => [`${one.id}|${one.sent_at}`, one]));
    return [...once.values()].sort((one, other) => (one.sent_at < other.sent_at ? 1 : -1));
  }
}

const answerOf = ({ id, to, subject, text, html, sent_at }: KeptMail): EmailAnswer => ({
  ...{ id, to, subject, text, html, sent_at },
});

const ownAnswer = ({ message_id, to, subject, text, html, sent_at }: InboxMail): EmailAnswer => ({
  ...{ id: message_id, to: to.address, subject, text, html, sent_at },
});

const sentElsewhere = (): ApiError =>
  new ApiError(404, 'not_found', 'Mails are sent through the server of SMTP_URL. Look for them there.');
