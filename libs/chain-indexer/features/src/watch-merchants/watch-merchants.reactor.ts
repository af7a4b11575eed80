import { Controller, Inject } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { merchantRegistered, walletCreated } from '@tender/contracts';
import type { OfLeader, Runtime } from '@tender/eventing';
import { Reacts, RUNTIME, type Delivery, type Heard } from '@tender/http';
import { MODES, type Mode } from '@tender/kernel';
import { CHAIN_INDEXER, type ChainIndexer } from '../chain-indexer';
import { WATCH_MERCHANTS } from './watch-merchants.consumer';
import { saveMerchantWallets, type MerchantWallet } from './merchant-wallet.record';

/** A merchant's wallet is watched in both modes, so that money without a reference is seen too. */
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
    const wallets = new Map<string, MerchantWallet>();
    for (const { data } of batch) {
      const { merchant_id, wallet_address: wallet } = data;
      if (wallet === null) continue;
      const accounts = { test: this.tokenAccounts('test', wallet), live: this.tokenAccounts('live', wallet) };
      wallets.set(merchant_id, { merchant_id, wallet, accounts });
      for (const mode of MODES) {
        const { memory } = networks[mode];
        await memory.loaded();
        memory.book.addMerchant(merchant_id, wallet, accounts[mode]);
      }
    }
    await saveMerchantWallets(delivery.tx, [...wallets.values()]);
  }

  private tokenAccounts(mode: Mode, wallet: string): readonly string[] {
    const chain = this.runtime.chains[mode];
    return [chain.tokenAccount(wallet, 'USDC'), chain.tokenAccount(wallet, 'USDT')];
  }
}
