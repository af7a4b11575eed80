import { Inject, Module, type OnModuleInit } from '@nestjs/common';
import { chainHealth, chainReached, lookedFor } from '@tender/contracts';
import type { OfLeader, Runtime } from '@tender/eventing';
import { RUNTIME } from '@tender/http';
import { CHAIN_INDEXER, type ChainIndexer } from './chain-indexer';
import { lookedForOf } from './watch-payments/looked-for';
import { WatchMerchantsReactor } from './watch-merchants/watch-merchants.reactor';
import { WatchOperatingWalletsReactor } from './watch-operating-wallets/watch-operating-wallets.reactor';
import { WatchPaymentsReactor } from './watch-payments/watch-payments.reactor';

@Module({
  controllers: [WatchPaymentsReactor, WatchMerchantsReactor, WatchOperatingWalletsReactor],
})
export class ChainIndexerModule implements OnModuleInit {
  constructor(
    @Inject(RUNTIME) private readonly runtime: Pick<Runtime, 'calls' | 'readModels'>,
    @Inject(CHAIN_INDEXER) private readonly leading: OfLeader<ChainIndexer>,
  ) {}

  onModuleInit(): void {
    const { calls, readModels } = this.runtime;
    calls.answer(chainReached, async ({ mode, block_time_ms }) => ({
      reached: await this.leading.now()[mode].follower.reached(block_time_ms),
    }));
    calls.answer(chainHealth, async ({ mode }) => {
      const { hindrance: reason } = this.leading.now()[mode].memory;
      return { healthy: reason === null, reason };
    });
    calls.answer(lookedFor, ({ mode, reference }) => {
      return lookedForOf(readModels, this.leading.now()[mode].memory, reference);
    });
  }
}
