import { newLeaseOwner, type Runtime } from '@tender/eventing';
import type { OpenContext } from '@tender/http';
import { ForgetMails, MailSender, watchMails } from '@tender/mail';
import { MAILS } from './mail-queue/queue-mails.reactor';
import { describeMail } from './mails/describe-mail';

/** What billing does by itself while its process leads. */
export function openBilling(runtime: Runtime): OpenContext {
  return {
    beginTerm() {
      // A new name: what an earlier term still writes of its attempts must not count for those of this one.
      const owner = newLeaseOwner(runtime.random.uuid());
      const describe = describeMail.bind(null, runtime);
      const sender = new MailSender(runtime, MAILS, describe, owner);
      const unwatch = watchMails(runtime, MAILS);
      return { workers: [sender, new ForgetMails(runtime, MAILS)], end: unwatch };
    },
  };
}
