import { Controller, Inject, Query } from '@nestjs/common';
import {
  readEmails,
  readInbox,
  type EmailAnswer,
  type EmailsQuery,
  type RequestContext,
} from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { ApiError, Caller, RUNTIME, Serves } from '@tender/http';

@Controller()
export class EmailsHttp {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Serves(readEmails)
  async read(
    @Caller() { merchant_id, mode, asker, correlation_id }: RequestContext,
    @Query() { to }: EmailsQuery,
  ): Promise<readonly EmailAnswer[]> {
    const question = {
      merchant: asker.kind === 'admin' ? null : { merchant_id, mode },
      to: to ?? null,
    };
    const { mails } = await this.runtime.calls.ask(readInbox, question, { mode, correlation_id });
    if (mails === null) throw sentElsewhere();
    return mails.map(({ id, to, subject, text, html, sent_at }) => ({
      ...{ id, to, subject, text, html, sent_at },
    }));
  }
}

const sentElsewhere = (): ApiError =>
  new ApiError(404, 'not_found', 'Mails are sent through the server of SMTP_URL. Look for them there.');
