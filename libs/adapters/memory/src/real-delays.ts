import type { Delays } from '@tender/eventing';

/** Real time even in tests: it only paces retries and followers. Never keeps the process alive. */
export const realDelays: Delays = {
  after(delay_ms, work) {
    const timer = setTimeout(work, Math.max(0, delay_ms)).unref();
    return () => clearTimeout(timer);
  },
};
