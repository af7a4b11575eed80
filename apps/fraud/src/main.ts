import { houseOf } from '@tender/contracts';
import { fraudContext } from '@tender/fraud-features';
import { runService, type RunServiceOptions } from '@tender/runtime';

/** All that fraud does. */
export const run = (options?: RunServiceOptions): Promise<void> =>
  runService({ ...houseOf('fraud'), contexts: [fraudContext] }, options);

if (require.main === module) void run();
