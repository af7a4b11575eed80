import { houseOf } from '@tender/contracts';
import { refundsDisputesContext } from '@tender/refunds-disputes-features';
import { runService, type RunServiceOptions } from '@tender/runtime';

/** All that refunds and disputes does. */
export const run = (options?: RunServiceOptions): Promise<void> =>
  runService({ ...houseOf('refunds-disputes'), contexts: [refundsDisputesContext] }, options);

if (require.main === module) void run();
