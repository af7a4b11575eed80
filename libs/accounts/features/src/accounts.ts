import { newLeaseOwner, OfLeader, type Runtime } from '@tender/eventing';
import type { OpenContext } from '@tender/http';
import { ForgetMails, MailSender, watchMails } from '@tender/mail';
import { describeCodeMail } from './login-by-email/describe-code-mail';
import { loginCodes, MAILS } from './login-by-email/login-codes';
import { ForgetSessions } from './sessions/forget-sessions.worker';

/** Sends what people wait for, while this process leads: `OfLeader<MailSender>`. Nest injection token. */
export const MAIL_SENDER = Symbol('mail sender of accounts');

/** What accounts does by itself while its process leads. */
export function openAccounts(runtime: Runtime): OpenContext {
  const leading = new OfLeader<MailSender>('accounts');
  return {
    providers: [{ provide: MAIL_SENDER, useValue: leading }],
    beginTerm() {
      const codes = loginCodes(runtime, null);
      const owner = newLeaseOwner(runtime.random.uuid());
      const describe = describeCodeMail.bind(null, runtime, codes);
      const sender = new MailSender(runtime, MAILS, describe, owner);
      leading.begin(sender);
      const unwatch = watchMails(runtime, MAILS);
      return {
        workers: [sender, new ForgetMails(runtime, MAILS), new ForgetSessions(runtime)],
        end() {
          unwatch();
          leading.end();
        },
      };
    },
  };
}
