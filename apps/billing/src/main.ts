import { billingContext } from '@tender/billing-features';
import { houseOf } from '@tender/contracts';
import { runService, type RunServiceOptions } from '@tender/runtime';

/** All that billing does. */
export const run = (options?: RunServiceOptions): Promise<void> =>
  runService({ ...houseOf('billing'), contexts: [billingContext] }, options);

if (require.main === module) void run();
