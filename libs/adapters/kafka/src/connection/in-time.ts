import { Unavailable, type Delays } from '@tender/eventing';

/** Longer than kafkajs tries one thing: what says nothing for so long (ms) hardly ever will. */
export const SILENCE_MAX_MS = 60_000;

/** Ends as `work` does; rejects with `Unavailable` when it has lasted so long. Its outcome is unknown then. */
export function unlessLost<Result>(delays: Delays, work: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const cancel = delays.after(SILENCE_MAX_MS, () =>
      reject(new Unavailable('kafka', { reason: `nothing was heard for ${SILENCE_MAX_MS} ms` })),
    );
    work.then(resolve, reject).finally(cancel);
  });
}

/** Ends as `work` does, or when it has lasted `wait_ms`: what does not answer is not waited for. */
export async function inTime(delays: Delays, work: Promise<void>, wait_ms: number): Promise<void> {
  let cancel = (): void => undefined;
  const late = new Promise<void>((resolve) => {
    cancel = delays.after(wait_ms, resolve);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    cancel();
  }
}
