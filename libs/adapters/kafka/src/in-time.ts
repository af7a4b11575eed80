import type { Delays } from '@tender/eventing';

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
