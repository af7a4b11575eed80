import { Controller, Inject } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { merchantRegistered, walletCreated } from '@tender/contracts';
import type { OfLeader, Runtime } from '@tender/eventing';
import { Reacts, RUNTIME, type Delivery, type Heard } from '@tender/http';
import { MODES, timeOf } from '@tender/kernel';
import { CHAIN_INDEXER, type ChainIndexer } from '../chain-indexer';
import { beginLookUps, dueLookUps, type DueLookUp } from './look-up-new-wallets';
import { saveMerchantWallets, type MerchantWallet } from './merchant-wallet.record';
import { tokenAccountsOf } from './token-accounts';
import { WATCH_MERCHANTS } from './watch-merchants.consumer';

/**
 * A merchant's wallet is watched in both modes, so that money without a reference is seen too. One that Tender has
 * made with the merchant is new: what came to it before it was heard of is looked up.
 */
@Controller()
export class WatchMerchantsReactor {
  constructor(
    @Inject(RUNTIME) private readonly runtime: Runtime,
    @Inject(CHAIN_INDEXER) private readonly leading: OfLeader<ChainIndexer>,
  ) {}

  @Reacts(WATCH_MERCHANTS, [merchantRegistered, walletCreated])
  async react(
    @Payload() batch: readonly Heard<typeof merchantRegistered | typeof walletCreated>[],
    @Ctx() delivery: Delivery,
  ): Promise<void> {
    const networks = this.leading.now();
    const { chains, clock } = this.runtime;
    const wallets = new Map<string, MerchantWallet>();
    const due: DueLookUp[] = [];
    for (const { type, data, recorded_at } of batch) {
      const { merchant_id, wallet_address: wallet } = data;
      if (wallet === null) continue;
      const accounts = {
        test: tokenAccountsOf(chains.test, wallet),
        live: tokenAccountsOf(chains.live, wallet),
      };
      wallets.set(merchant_id, { merchant_id, wallet, accounts });
      for (const mode of MODES) {
        const { memory } = networks[mode];
        await memory.loaded();
        memory.book.wallets.addMerchant(merchant_id, wallet, accounts[mode]);
        if (type !== walletCreated.type) continue;
        const addresses = [wallet, ...accounts[mode]];
        const made = { memory, addresses, recorded_wall_ms: timeOf(recorded_at) };
        due.push(...dueLookUps(made, clock.wall()));
      }
    }
    await beginLookUps(this.runtime, due);
    await saveMerchantWallets(delivery.tx, [...wallets.values()]);
  }
}
