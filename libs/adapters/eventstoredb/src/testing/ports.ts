import type { Log } from '@tender/eventing';
import type { Clock } from '@tender/kernel';

/** For tests in which failures are meant. */
export const silentLog: Log = {
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

const wall = (): number => Math.trunc(performance.timeOrigin + performance.now());

/** The machine's time, for both times. */
export const systemClock: Clock = { now: wall, wall };
