import type { Delays } from '@tender/eventing';

/** Never keeps the process alive: what must be done before the end is done by `close`. */
export const realDelays: Delays = {
  after(delay_ms, work) {
    const timer = setTimeout(work, Math.max(0, delay_ms)).unref();
    return () => clearTimeout(timer);
  },
};
