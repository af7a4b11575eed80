import { memoryInbox } from '@tender/adapter-memory';
import { Unavailable, type Mail } from '@tender/eventing';
import type { Clock } from '@tender/kernel';
import type { Closer } from './open-tables';
import type { MailWay } from './settings/mail-settings';

/** The way of mails that the settings name. `closers` end it. */
export async function openMail(way: MailWay, clock: Clock, closers: Closer[]): Promise<Mail> {
  if (way === 'inbox') return memoryInbox(clock);
  if (way === 'waits') return { send: waits, inbox: null };
  // Loaded only where there is a server.
  const { smtpMail } = await import('@tender/adapter-smtp');
  const mail = smtpMail({ server: way });
  closers.push(() => mail.close());
  return mail;
}

const waits: Mail['send'] = async () => {
  throw new Unavailable('the mail server', { reason: 'SMTP_URL is not set' });
};
