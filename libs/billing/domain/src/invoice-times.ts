import { isoTime, timeOf } from '@tender/kernel';
import type { KnownInvoice } from './invoice';
import { DAY_MS } from './time';

/** The midnight after that time, UTC: what is due at midnight is due for that whole day. */
const midnightAfter = (time: string): string =>
  isoTime((Math.floor(timeOf(time) / DAY_MS) + 1) * DAY_MS);

/** When it is overdue: in the night after the due date, or after it was sent if that was later. Null: never. */
export function invoiceDueAt({ status, terms, sent_at }: KnownInvoice): string | null {
  const { due_date } = terms;
  if (status !== 'sent' || due_date === null || sent_at === null) return null;
  return midnightAfter(sent_at > due_date ? sent_at : due_date);
}

/** How many payments its link takes. */
export const linkUsesOf = ({ terms }: KnownInvoice): number => terms.payment_link_max_uses ?? 1;
