import type { Clock } from '@tender/kernel';

export interface SettableClock extends Clock {
  /** Both times, in milliseconds since 1970. */
  set(ms: number): void;
  advance(by_ms: number): void;
}

/** 1 January 2026, 00:00:00 UTC. */
const START_MS = 1_767_225_600_000;

/** Stands still until it is moved. */
export function settableClock(start_ms = START_MS): SettableClock {
  let time_ms = start_ms;
  return {
    now: () => time_ms,
    wall: () => time_ms,
    set: (ms) => {
      time_ms = ms;
    },
    advance: (by_ms) => {
      time_ms += by_ms;
    },
  };
}

/** Always the same time. */
export const fixedClock = (ms = START_MS): Clock => ({ now: () => ms, wall: () => ms });
