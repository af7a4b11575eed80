import type { Delays } from './ports/delays';

/** Ends as `work` does, or as `late` does once it has lasted `limit_ms`: nothing ends the work itself. */
export function inTime<Result>(
  delays: Delays,
  work: Promise<Result>,
  limit_ms: number,
  late: () => Result,
): Promise<Result> {
  // One promise and no race: every question between contexts comes through here.
  return new Promise((resolve, reject) => {
    const cancel = delays.after(limit_ms, () => {
      try {
        resolve(late());
      } catch (error) {
        reject(error as Error);
      }
    });
    work.then(
      (result) => {
        cancel();
        resolve(result);
      },
      (error: unknown) => {
        cancel();
        reject(error as Error);
      },
    );
  });
}
