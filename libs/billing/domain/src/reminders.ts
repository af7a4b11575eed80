import { DAY_MS, HOUR_MS, later } from './time';

/** Of one invoice, or one installment: its customer is no addressee to be flooded. */
const REMINDERS_A_DAY = 3;

/** Of what its merchant has reminded a customer. What was stored before reminders were counted has none. */
export interface Remindable {
  /** The last ones, oldest first: as many as a day may have. */
  readonly reminded_at?: readonly string[];
}

/** From when on its customer may be reminded: an hour after the last time, and three times in 24 hours. Null: now. */
export function remindableAt({ reminded_at = [] }: Remindable): string | null {
  const [last, first] = [reminded_at.at(-1), reminded_at.at(-REMINDERS_A_DAY)];
  if (last === undefined) return null;
  const after_last = later(last, HOUR_MS);
  const after_first = first === undefined ? after_last : later(first, DAY_MS);
  return after_last > after_first ? after_last : after_first;
}

/** With one more. */
export const remindedAt = ({ reminded_at = [] }: Remindable, at: string): readonly string[] =>
  [...reminded_at, at].slice(-REMINDERS_A_DAY);
