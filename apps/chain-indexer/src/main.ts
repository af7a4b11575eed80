import { chainIndexerContext, ChainIndexerModule } from '@tender/chain-indexer-features';
import { SPEAKERS } from '@tender/contracts';
import { runService } from '@tender/runtime';

/** What the chain shows of the payments. Nobody outside asks it anything. */
export const chainIndexer = {
  name: 'chain-indexer',
  context: chainIndexerContext,
  module: ChainIndexerModule,
  routes: [],
  speakers: SPEAKERS,
  providers: () => [],
};

if (require.main === module) void runService(chainIndexer);
