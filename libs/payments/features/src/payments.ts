import { watchMoneyOut, type Runtime } from '@tender/eventing';
import type { OpenContext } from '@tender/http';

/** What payments does by itself while its process leads, besides its timers. */
export const openPayments = (runtime: Runtime): OpenContext => ({
  beginTerm: () => ({ workers: [], end: watchMoneyOut(runtime, 'settlement') }),
});
