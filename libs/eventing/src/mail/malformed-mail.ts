import { isEmailAddress } from '@tender/kernel';
import type { MailOutcome, OutgoingMail } from '../ports/mail';

// A line break in a header begins another header, and `.` alone on a line once ended a mail.
const BREAKS_HEADER = /[\p{Cc}\p{Zl}\p{Zp}]/u;
const HEADER_CHARACTERS_MAX = 500;
const BODY_CHARACTERS_MAX = 256 * 1024;

const isHeader = (text: string): boolean =>
  text.length <= HEADER_CHARACTERS_MAX && text.isWellFormed() && !BREAKS_HEADER.test(text);

const isBody = (text: string): boolean =>
  text !== '' && text.length <= BODY_CHARACTERS_MAX && text.isWellFormed() && !text.includes('\0');

/** What every adapter refuses before anything is sent; null where nothing is wrong. The detail is the field. */
export function malformedMail(mail: OutgoingMail): Extract<MailOutcome, { taken: false }> | null {
  const { id, from_name, to, reply_to, subject, text, html } = mail;
  const fits = {
    id: id !== '',
    from_name: isHeader(from_name),
    'to.name': isHeader(to.name),
    'to.address': isEmailAddress(to.address),
    'reply_to.name': reply_to === null || isHeader(reply_to.name),
    'reply_to.address': reply_to === null || isEmailAddress(reply_to.address),
    subject: subject !== '' && isHeader(subject),
    text: isBody(text),
    html: isBody(html),
  };
  const field = Object.entries(fits).find(([, is_right]) => !is_right)?.[0];
  return field === undefined ? null : { taken: false, refusal: 'malformed', detail: field };
}
