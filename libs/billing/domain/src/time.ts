import { isoTime, timeOf } from '@tender/kernel';

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** So much later. Times are ISO 8601 with milliseconds, UTC: the order of the text is the order in time. */
export const later = (time: string, ms: number): string => isoTime(timeOf(time) + ms);

/** From one time to another, in milliseconds. */
export const between = (from: string, to: string): number => timeOf(to) - timeOf(from);

/**
 * When what was due is done. At its own time, though the timer looks a little later; but if no timer ran for more than
 * the hour after which the specification would have looked, then now: no customer can pay within a time that is over.
 */
export const doneAt = (due_at: string, now: string): string =>
  between(due_at, now) > HOUR_MS ? now : due_at;
