import type { readInbox } from '@tender/contracts';
import type { InboxMail, Runtime } from '@tender/eventing';

/** What one answer between services may hold. */
const SHOWN_MAX = 200;

/** For the test helpers, which exist only where no money is real (specification §5): the mails of this process. */
export function answerInbox(
  { calls, mail }: Pick<Runtime, 'calls' | 'mail'>,
  question: typeof readInbox,
): void {
  calls.answer(question, async ({ merchant, to }) => {
    const kept = mail.inbox?.list({ ...merchant, ...(to === null ? {} : { to }) }) ?? null;
    return { mails: kept?.slice(0, SHOWN_MAX).map(keptMail) ?? null };
  });
}

const keptMail = ({ message_id, to, from_name, subject, text, html, sent_at }: InboxMail) => ({
  ...{ id: message_id, to: to.address, from_name, subject, text, html, sent_at },
});
