import { setTimeout as sleep } from 'node:timers/promises';

/** Waits `ms` of wall time. Ends early, and quietly, when the signal is aborted. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal }).catch(() => undefined);
