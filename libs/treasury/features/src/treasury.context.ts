import type { HostedContext } from '@tender/http';
import { CreateHeldMoney1795600000000 } from './create-held-money.migration';
import { CreateOutgoingTransfers1795425000000 } from './create-outgoing-transfers.migration';
import { CreateTreasury1764200000000 } from './create-treasury.migration';
import { IndexRefundedCredits1795426000000 } from './index-refunded-credits.migration';
import { sponsorInvariants } from './invariants/sponsor-invariants';
import { transferInvariants } from './invariants/transfer-invariants';
import { operatingWallets } from './operating-wallet/operating-wallet.aggregate';
import { outgoingTransfer } from './outgoing-transfer/outgoing-transfer.aggregate';
import { publishTreasury } from './publish-treasury';
import { treasurySettings } from './settings';
import { openTreasury } from './treasury';
import { TreasuryModule } from './treasury.module';

/**
 * Pays the fees of gasless payments, opens the operating wallets of merchants, and sends what leaves them. What was
 * spent is a record: written before anything is signed, never rebuilt.
 */
export const treasuryContext: HostedContext = {
  name: 'treasury',
  schema: 'treasury',
  migrations: [
    CreateTreasury1764200000000,
    CreateOutgoingTransfers1795425000000,
    IndexRefundedCredits1795426000000,
    CreateHeldMoney1795600000000,
  ],
  projections: [outgoingTransfer.view],
  open: (runtime) => openTreasury(runtime),
  invariants: [...sponsorInvariants, ...transferInvariants],
  publishes: {
    categories: [...operatingWallets.categories, ...outgoingTransfer.categories],
    publish: publishTreasury,
  },
  module: TreasuryModule,
  settings: treasurySettings,
};
