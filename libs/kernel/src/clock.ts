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
