import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { readInbox } from '@tender/contracts';
import type { InboxMail, Runtime } from '@tender/eventing';
import { RUNTIME } from '@tender/http';

/** What one answer between services may hold. */
const SHOWN_MAX = 200;

/** For the test helpers, which exist only where no money is real (specification §5). */
@Injectable()
export class AnswerReadInbox implements OnModuleInit {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  onModuleInit(): void {
    const { calls, mail } = this.runtime;
    calls.answer(readInbox, async ({ merchant, to }) => {
      const kept = mail.inbox?.list({ ...merchant, ...(to === null ? {} : { to }) }) ?? null;
      return { mails: kept?.slice(0, SHOWN_MAX).map(keptMail) ?? null };
    });
  }
}

const keptMail = ({ message_id, to, from_name, subject, text, html, sent_at }: InboxMail) => ({
  ...{ id: message_id, to: to.address, from_name, subject, text, html, sent_at },
});
