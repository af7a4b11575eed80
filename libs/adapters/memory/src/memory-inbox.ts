import {
  malformedMail,
  messageIdOf,
  type Inbox,
  type InboxFilter,
  type InboxMail,
  type Mail,
} from '@tender/eventing';
import { isoTime, type Clock } from '@tender/kernel';

export interface InboxBounds {
  readonly mails_max: number;
  /** Of subjects and bodies together. */
  readonly characters_max: number;
}

const BOUNDS: InboxBounds = { mails_max: 2_000, characters_max: 16 * 1024 * 1024 };

/** Takes every mail that could be sent and keeps the newest ones, within bounds, as long as the process lives. */
export function memoryInbox(
  { now }: Pick<Clock, 'now'>,
  bounds: Partial<InboxBounds> = {},
): Mail & { readonly inbox: Inbox } {
  const { mails_max, characters_max } = { ...BOUNDS, ...bounds };
  const kept: InboxMail[] = [];
  let characters = 0;

  const dropOldest = (): void => {
    const [oldest] = kept.splice(0, 1);
    if (oldest) characters -= charactersOf(oldest);
  };

  return {
    async send(mail) {
      const refused = malformedMail(mail);
      if (refused) return refused;
      const message_id = messageIdOf(mail.id, 'inbox.localhost');
      const taken: InboxMail = { ...mail, message_id, sent_at: isoTime(now()) };
      kept.push(taken);
      characters += charactersOf(taken);
      while (kept.length > mails_max || characters > characters_max) dropOldest();
      return { taken: true };
    },
    inbox: { list: (filter = {}) => kept.filter((mail) => matches(mail, filter)).reverse() },
  };
}

const charactersOf = ({ subject, text, html }: InboxMail): number =>
  subject.length + text.length + html.length;

const matches = (mail: InboxMail, { mode, merchant_id, to }: InboxFilter): boolean =>
  (mode === undefined || mail.mode === mode || mail.mode === 'all') &&
  (merchant_id === undefined || mail.merchant_id === merchant_id) &&
  (to === undefined || mail.to.address.toLowerCase() === to.trim().toLowerCase());
