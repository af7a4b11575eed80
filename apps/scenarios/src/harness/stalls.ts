const LOOK_EVERY_MS = 50;
const STALL_MS = 500;
/** Within this time a program that has missed its deadlines answers again, started anew if it has ended. */
const AFTERMATH_MS = 120_000;

let looked_ms = performance.now();
let stalled_ms = Number.NEGATIVE_INFINITY;
setInterval(() => {
  const now_ms = performance.now();
  if (now_ms - looked_ms > STALL_MS) stalled_ms = now_ms;
  looked_ms = now_ms;
}, LOOK_EVERY_MS).unref();

/** Whether this process, and so the whole machine, has stood still a moment ago. */
export const hasStalled = (): boolean => performance.now() - stalled_ms < AFTERMATH_MS;
