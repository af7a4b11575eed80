import { inTime, Unavailable, type Delays } from '@tender/eventing';

/** Longer than kafkajs tries one thing: what says nothing for so long (ms) hardly ever will. */
export const SILENCE_MAX_MS = 60_000;

/** Ends as `work` does; rejects with `Unavailable` when it has lasted so long. Its outcome is unknown then. */
export function unlessLost<Result>(delays: Delays, work: Promise<Result>): Promise<Result> {
  return inTime(delays, work, SILENCE_MAX_MS, () => {
    throw new Unavailable('kafka', { reason: `nothing was heard for ${SILENCE_MAX_MS} ms` });
  });
}
