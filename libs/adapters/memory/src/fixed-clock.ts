import type { Clock } from '@tender/kernel';

/** 1 January 2026, 00:00:00 UTC. */
const START_MS = 1_767_225_600_000;

/** Always the same time. */
export const fixedClock = (ms = START_MS): Clock => ({ now: () => ms, wall: () => ms });
