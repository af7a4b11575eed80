import { Controller, Inject } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { operatingWalletOpened, transferSigned } from '@tender/contracts';
import type { OfLeader, Runtime } from '@tender/eventing';
import { Reacts, RUNTIME, type Delivery, type Heard } from '@tender/http';
import { timeOf } from '@tender/kernel';
import { CHAIN_INDEXER, type ChainIndexer } from '../chain-indexer';
import { beginLookUps, dueLookUps, type DueLookUp } from '../watch-merchants/look-up-new-wallets';
import { tokenAccountsOf } from '../watch-merchants/token-accounts';
import { modeOf } from '../watch-payments/mode-of';
import { saveOperatingWallets, type OperatingWallet } from './operating-wallet.record';
import { saveOutgoingTransfers, type OutgoingTransfer } from './outgoing-transfer.record';
import { WATCH_OPERATING_WALLETS } from './watch-operating-wallets.consumer';

const FACTS = [operatingWalletOpened, transferSigned] as const;
type Fact = Heard<(typeof FACTS)[number]>;

/**
 * Money that comes to an operating wallet is seen as at a merchant's own wallet. What leaves one for its merchant is
 * known by its signature, which treasury tells before it sends: it is not money without a payment.
 */
@Controller()
export class WatchOperatingWalletsReactor {
  constructor(
    @Inject(RUNTIME) private readonly runtime: Runtime,
    @Inject(CHAIN_INDEXER) private readonly leading: OfLeader<ChainIndexer>,
  ) {}

  @Reacts(WATCH_OPERATING_WALLETS, FACTS)
  async react(@Payload() batch: readonly Fact[], @Ctx() delivery: Delivery): Promise<void> {
    const networks = this.leading.now();
    const wallets: OperatingWallet[] = [];
    const due: DueLookUp[] = [];
    const transfers: OutgoingTransfer[] = [];
    for (const event of batch) {
      const mode = modeOf(event);
      if (event.type === transferSigned.type) {
        const { transfer, transaction_signature: signature } = event.data;
        transfers.push({ mode, signature, merchant_id: transfer.merchant_id });
        continue;
      }
      const { memory } = networks[mode];
      await memory.loaded();
      const { merchant_id, operating_wallet_address: wallet } = event.data;
      const accounts = tokenAccountsOf(this.runtime.chains[mode], wallet);
      memory.book.wallets.addOperating(merchant_id, wallet, accounts);
      wallets.push({ mode, wallet, merchant_id, accounts });
      const addresses = [wallet, ...accounts];
      const made = { memory, addresses, recorded_wall_ms: timeOf(event.recorded_at) };
      due.push(...dueLookUps(made, this.runtime.clock.wall()));
    }
    await beginLookUps(this.runtime, due);
    await saveOperatingWallets(delivery.tx, wallets);
    await saveOutgoingTransfers(delivery.tx, transfers);
  }
}
