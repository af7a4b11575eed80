import { paymentsContext } from '@tender/payments-features';
import { houseOf } from '@tender/contracts';
import { runService, type RunServiceOptions } from '@tender/runtime';

/** Payments from creation to their end, and receipts of money that pays nothing. */
export const run = (options?: RunServiceOptions): Promise<void> =>
  runService({ ...houseOf('payments'), contexts: [paymentsContext] }, options);

if (require.main === module) void run();
