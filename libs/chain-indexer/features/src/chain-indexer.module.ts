import { Inject, Module, type OnModuleInit } from '@nestjs/common';
import { chainHealth, chainReached } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { RUNTIME } from '@tender/http';
import { chainIndexerOf } from './chain-indexer';
import { followersOf } from './chain-indexer-workers';
import { WatchMerchantsReactor } from './watch-merchants/watch-merchants.reactor';
import { WatchPaymentsReactor } from './watch-payments/watch-payments.reactor';

@Module({ controllers: [WatchPaymentsReactor, WatchMerchantsReactor] })
export class ChainIndexerModule implements OnModuleInit {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  onModuleInit(): void {
    const { runtime } = this;
    const stateOf = chainIndexerOf(runtime);
    runtime.calls.answer(chainReached, async ({ mode, block_time_ms }) => ({
      reached: await followersOf(runtime)[mode].reached(block_time_ms),
    }));
    runtime.calls.answer(chainHealth, async ({ mode }) => {
      const { trouble: reason } = stateOf[mode].state;
      return { healthy: reason === null, reason };
    });
  }
}
