import type { HostedContext } from '@tender/http';
import { openChainIndexer } from './chain-indexer';
import { CreateChainIndexer1763700000000 } from './create-chain-indexer.migration';
import { CreateOperatingWallets1795453200000 } from './create-operating-wallets.migration';
import { HoldCreditsOfWallets1795460400000 } from './hold-credits-of-wallets.migration';
import { CreateSubmissions1766300000000 } from './create-submissions.migration';
import { chainInvariants } from './invariants/chain-invariants';
import { publishChainIndexer } from './publish-chain-indexer';
import { ChainIndexerModule } from './chain-indexer.module';

/**
 * What the chain shows of the payments: credits, their allocation, and how far it was seen. It has no
 * read model; watches, wallets and cursors are records, written with the checkpoint or the block.
 */
export const chainIndexerContext: HostedContext = {
  name: 'chain-indexer',
  schema: 'chain_indexer',
  migrations: [
    CreateChainIndexer1763700000000,
    CreateSubmissions1766300000000,
    CreateOperatingWallets1795453200000,
    HoldCreditsOfWallets1795460400000,
  ],
  projections: [],
  open: openChainIndexer,
  invariants: chainInvariants,
  publishes: {
    categories: ['watch.test', 'watch.live', 'credit.test', 'credit.live'],
    publish: publishChainIndexer,
  },
  module: ChainIndexerModule,
};
