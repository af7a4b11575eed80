import { watchMoneyOut, type Runtime } from '@tender/eventing';
import type { OpenContext } from '@tender/http';

/** What refunds and disputes does by itself while its process leads. */
export const openRefundsDisputes = (runtime: Runtime): OpenContext => ({
  beginTerm: () => ({ workers: [], end: watchMoneyOut(runtime, 'refund') }),
});
