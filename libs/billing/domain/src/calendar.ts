import { invariant, isoTime, monthsLater, timeOf } from '@tender/kernel';
import { DAY_MS, later } from './time';

export const BILLING_INTERVALS = ['daily', 'weekly', 'monthly', 'yearly'] as const;
export type BillingInterval = (typeof BILLING_INTERVALS)[number];

/** How long a period is: two weeks, three months. */
export interface BillingRhythm {
  readonly billing_interval: BillingInterval;
  readonly interval_count: number;
}

/** A span of time; `end` is not part of it. ISO 8601 with milliseconds, UTC. */
export interface Period {
  readonly start: string;
  readonly end: string;
}

/**
 * The current period, and where it lies: period 0 begins at the anchor. Each begin is counted from the anchor, never
 * from the period before, so that a 31st that February lacks is a 31st again in March. Always `end` is where period
 * `index + 1` begins. A trial is the period before the first: -1.
 */
export interface BillingCalendar extends Period {
  readonly anchor: string;
  readonly index: number;
}

const DAYS = { daily: 1, weekly: 7 } as const;
const MONTHS = { monthly: 1, yearly: 12 } as const;

/** When the period of that index begins. */
export function periodStart(
  anchor: string,
  { billing_interval, interval_count }: BillingRhythm,
  index: number,
): string {
  invariant(interval_count >= 1, 'a billing period lasts one interval or more');
  const count = index * interval_count;
  if (billing_interval === 'daily' || billing_interval === 'weekly') {
    return later(anchor, count * DAYS[billing_interval] * DAY_MS);
  }
  return isoTime(monthsLater(timeOf(anchor), count * MONTHS[billing_interval]));
}

const periodOf = (anchor: string, rhythm: BillingRhythm, index: number): BillingCalendar => ({
  anchor,
  index,
  start: periodStart(anchor, rhythm, index),
  end: periodStart(anchor, rhythm, index + 1),
});

/** The first period, or the trial before it. */
export function firstPeriod(
  start: string,
  rhythm: BillingRhythm,
  trial_days: number,
): BillingCalendar {
  if (trial_days === 0) return periodOf(start, rhythm, 0);
  const end = later(start, trial_days * DAY_MS);
  return { anchor: end, index: -1, start, end };
}

/** The period after the current one that contains `now`; those in between are skipped. */
export function nextPeriod(
  { anchor, index }: BillingCalendar,
  rhythm: BillingRhythm,
  now: string,
): BillingCalendar {
  let next = periodOf(anchor, rhythm, index + 1);
  while (next.end <= now) next = periodOf(anchor, rhythm, next.index + 1);
  return next;
}

/**
 * The current period ends so much later, and the anchor moves with its end. By the same time, where that leads to the
 * same end: the 31st stays the 31st after an hour in February. Where months of other lengths lie between, the end
 * itself is the new anchor: the next period lasts as long as any other.
 */
export function prolonged(
  { anchor, index, start, end }: BillingCalendar,
  rhythm: BillingRhythm,
  ms: number,
): BillingCalendar {
  const [moved_anchor, moved_end] = [later(anchor, ms), later(end, ms)];
  return periodStart(moved_anchor, rhythm, index + 1) === moved_end
    ? { anchor: moved_anchor, index, start, end: moved_end }
    : { anchor: moved_end, index: -1, start, end: moved_end };
}
