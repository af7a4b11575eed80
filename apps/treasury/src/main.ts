import { houseOf } from '@tender/contracts';
import { runService, type RunServiceOptions } from '@tender/runtime';
import { treasuryContext } from '@tender/treasury-features';

/** All that treasury does. */
export const run = (options?: RunServiceOptions): Promise<void> =>
  runService({ ...houseOf('treasury'), contexts: [treasuryContext] }, options);

if (require.main === module) void run();
