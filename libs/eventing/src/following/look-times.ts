/** Between looks of a follower that hears of nothing at what the database says of it. */
const LOOK_MS = 5_000;

/**
 * Whether it is time for another look (ms of wall time). All followers of a process look at the same times, so that
 * what they ask is one question.
 */
export const isLookDue = (looked_ms: number, wall_ms: number): boolean =>
  Math.floor(wall_ms / LOOK_MS) > Math.floor(looked_ms / LOOK_MS);

/** Milliseconds until the next time at which all look that look so often. */
export const untilNextLook = (every_ms: number, wall_ms: number): number =>
  every_ms - (Math.floor(wall_ms) % every_ms);
