import { Controller, Inject, Param, Res } from '@nestjs/common';
import { readInboxMail, readInboxPage } from '@tender/contracts';
import type { Inbox, Runtime } from '@tender/eventing';
import { notFound, RUNTIME, Serves } from '@tender/http';
import type { FastifyReply } from 'fastify';
import { inboxPage, pathIdOf } from './inbox-page';

const SHOWN_MAX = 200;
/** Nothing is loaded, and nothing runs. A mail brings styles on its elements. */
const POLICY = [
  ...["default-src 'none'", "style-src 'unsafe-inline'", "form-action 'none'"],
  ...["base-uri 'none'", "frame-ancestors 'none'"],
].join('; ');

/** Mails of this process: a gateway apart from who sends them has none to show. */
@Controller()
export class InboxPageHttp {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Serves(readInboxPage)
  list(@Res() reply: FastifyReply): void {
    const mails = this.inbox().list();
    sendPage(reply, inboxPage(mails.slice(0, SHOWN_MAX), mails.length));
  }

  @Serves(readInboxMail)
  read(@Param('id') id: string, @Res() reply: FastifyReply): void {
    const mail = this.inbox().list().find((one) => pathIdOf(one) === id);
    if (!mail) throw notFound();
    sendPage(reply, mail.html);
  }

  private inbox(): Inbox {
    const { inbox } = this.runtime.mail;
    if (inbox === null) throw notFound();
    return inbox;
  }
}

const sendPage = (reply: FastifyReply, html: string): void =>
  void reply
    .headers({ 'Content-Security-Policy': POLICY, 'Referrer-Policy': 'no-referrer' })
    .type('text/html; charset=utf-8')
    .send(html);
