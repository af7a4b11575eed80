import { webhookDispatcherContext } from '@tender/webhook-dispatcher-features';
import { houseOf } from '@tender/contracts';
import { runService, type RunServiceOptions } from '@tender/runtime';

/** Sends merchants webhooks of what happened. */
export const run = (options?: RunServiceOptions): Promise<void> =>
  runService({ ...houseOf('webhook-dispatcher'), contexts: [webhookDispatcherContext] }, options);

if (require.main === module) void run();
