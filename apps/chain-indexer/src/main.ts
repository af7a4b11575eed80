import { chainIndexerContext } from '@tender/chain-indexer-features';
import { houseOf } from '@tender/contracts';
import { runService, type RunServiceOptions } from '@tender/runtime';

/** What the chain shows of the payments. Clients ask it nothing. */
export const run = (options?: RunServiceOptions): Promise<void> =>
  runService({ ...houseOf('chain-indexer'), contexts: [chainIndexerContext] }, options);

if (require.main === module) void run();
