import { InTurn, type Runtime } from '@tender/eventing';
import { invariant } from '@tender/kernel';
import type { SignedRoster } from '@tender/threshold';
import type { Custody } from '../outgoing-transfer/custody';
import { signTransfer } from '../signing/sign-transfer';
import type { OperatingWallets } from './operating-wallets';

/** Custody by two signers, neither of which can sign alone. */
export function thresholdCustody(runtime: Runtime, wallets: OperatingWallets): Custody {
  // By wallet: of two transfers for what is left of a credit or a day, both signers must see the same one first.
  const turns = new InTurn();
  return {
    async walletOf(mode, merchant_id) {
      const opened = await wallets.open(mode, merchant_id);
      if (!opened.ok || opened.value === null) return null;
      const { address, roster } = opened.value;
      const { settlement_wallet } = (roster as SignedRoster).roster;
      return { address, settlement_wallet };
    },
    async sign(merchant_id, op, message) {
      const wallet = await wallets.find(op.mode, merchant_id);
      invariant(wallet?.address === op.wallet, 'a transfer leaves the wallet of its merchant');
      return turns.run(op.wallet, () => signTransfer(runtime, wallet, op, message));
    },
  };
}
