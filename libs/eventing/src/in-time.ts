import type { Delays } from './ports/delays';

/** Ends as `work` does, or as `late` does once it has lasted `limit_ms`: nothing ends the work itself. */
export async function inTime<Result>(
  delays: Delays,
  work: Promise<Result>,
  limit_ms: number,
  late: () => Result,
): Promise<Result> {
  let cancel = (): void => undefined;
  const limit = new Promise<void>((resolve) => {
    cancel = delays.after(limit_ms, resolve);
  });
  try {
    return await Promise.race([work, limit.then(late)]);
  } finally {
    cancel();
  }
}
