import { isoTime, timeOf } from '@tender/kernel';
import { REMINDERS_A_DAY, type KnownInvoice } from './invoice';
import { DAY_MS, HOUR_MS, later } from './time';

/** The midnight after that time, UTC: what is due at midnight is due for that whole day. */
const midnightAfter = (time: string): string =>
  isoTime((Math.floor(timeOf(time) / DAY_MS) + 1) * DAY_MS);

/** When it is overdue: in the night after the due date, or after it was sent if that was later. Null: never. */
export function invoiceDueAt({ status, terms, sent_at }: KnownInvoice): string | null {
  const { due_date } = terms;
  if (status !== 'sent' || due_date === null || sent_at === null) return null;
  return midnightAfter(sent_at > due_date ? sent_at : due_date);
}

/** From when on its customer may be reminded: an hour after the last time, and three times in 24 hours. Null: now. */
export function remindableAt({ reminded_at = [] }: KnownInvoice): string | null {
  const [last, first] = [reminded_at.at(-1), reminded_at.at(-REMINDERS_A_DAY)];
  if (last === undefined) return null;
  const after_last = later(last, HOUR_MS);
  const after_first = first === undefined ? after_last : later(first, DAY_MS);
  return after_last > after_first ? after_last : after_first;
}

/** How many payments its link takes. */
export const linkUsesOf = ({ terms }: KnownInvoice): number => terms.payment_link_max_uses ?? 1;
