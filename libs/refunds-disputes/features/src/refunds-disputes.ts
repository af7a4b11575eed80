import { newLeaseOwner, OfLeader, watchMoneyOut, type Runtime } from '@tender/eventing';
import type { OpenContext } from '@tender/http';
import { ForgetMails, MailSender, watchMails } from '@tender/mail';
import { describeCodeMail } from './dispute-codes/describe-code-mail';
import { disputeCodes, MAILS } from './dispute-codes/dispute-codes';

/** Sends the codes that customers wait for, while this process leads: `OfLeader<MailSender>`. Nest injection token. */
export const MAIL_SENDER = Symbol('mail sender of refunds and disputes');

/** What refunds and disputes does by itself while its process leads. */
export function openRefundsDisputes(runtime: Runtime): OpenContext {
  const leading = new OfLeader<MailSender>('refunds-disputes');
  return {
    providers: [{ provide: MAIL_SENDER, useValue: leading }],
    beginTerm() {
      const codes = disputeCodes(runtime, null);
      const owner = newLeaseOwner(runtime.random.uuid());
      const describe = describeCodeMail.bind(null, runtime, codes);
      const sender = new MailSender(runtime, MAILS, describe, owner);
      leading.begin(sender);
      const watches = [watchMails(runtime, MAILS), watchMoneyOut(runtime, 'refund')];
      return {
        workers: [sender, new ForgetMails(runtime, MAILS)],
        end() {
          for (const unwatch of watches) unwatch();
          leading.end();
        },
      };
    },
  };
}
