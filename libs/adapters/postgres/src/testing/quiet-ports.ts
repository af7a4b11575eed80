import type { Log } from '@tender/eventing';
import type { Clock } from '@tender/kernel';

/** For tests in which failures are meant. */
export const silentLog: Log = {
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

const wall = (): number => Math.trunc(performance.timeOrigin + performance.now());

/** A log that is only slow is waited for. */
export const patient = { append_timeout_ms: 300_000, lock_wait_ms: 300_000 } as const;

/** The machine's time, for both times. */
export const systemClock: Clock = { now: wall, wall };
