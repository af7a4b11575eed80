/**
 * Two times, both in milliseconds since 1970.
 * `now` is business time: what a client sees or waits for, and what a test clock moves.
 * `wall` is the machine's: signatures, leases, deadlines, limits, logs.
 */
export interface Clock {
  now(): number;
  wall(): number;
}

/** ISO 8601 in UTC, with milliseconds. */
export const isoTime = (ms: number): string => new Date(ms).toISOString();

/** Milliseconds since 1970 of what `isoTime` wrote. */
export const timeOf = (iso: string): number => Date.parse(iso);

/**
 * The same day and time of day, so many calendar months later, in UTC. A month that lacks the day has its last one:
 * a month after 31 January is 28 or 29 February.
 */
export function monthsLater(ms: number, months: number): number {
  const from = new Date(ms);
  const [year, month] = [from.getUTCFullYear(), from.getUTCMonth() + months];
  const last_day = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const day = Math.min(from.getUTCDate(), last_day);
  const midnight = Date.UTC(from.getUTCFullYear(), from.getUTCMonth(), from.getUTCDate());
  return Date.UTC(year, month, day) + (ms - midnight);
}
