import { chainIndexerContext } from '@tender/chain-indexer-features';
import { houseOf } from '@tender/contracts';
import { runService, type RunServiceOptions } from '@tender/runtime';

/** Finds payments on the chain. Clients send it no requests. */
export const run = (options?: RunServiceOptions): Promise<void> =>
  runService({ ...houseOf('chain-indexer'), contexts: [chainIndexerContext] }, options);

if (require.main === module) void run();
