import type { Wallet } from '@wallet-standard/base';
import { paymentOf } from '../view';
import { handIn, type Signed } from './hand-in';
import type { Visit } from './visit';
import { connect, isRejection, sign } from './wallets';

interface Built {
  readonly transaction: string;
  readonly requires_backend_submission: boolean;
}

/** Asks the wallet to sign what pays, and hands that in. */
export async function payByWallet(visit: Visit, wallet: Wallet, gasless = true): Promise<void> {
  const { store, attempts, api } = visit;
  const payment = paymentOf(store.view);
  if (!payment) return;
  const path = `/api/v1/payments/${payment.payment_id}`;
  const signed: Signed[] = [];
  await attempts.run(
    async () => {
      const is_current = attempts.current();
      visit.go('signing');
      store.set({ wallet: wallet.name });
      const account = await asked(() => connect(wallet));
      if (!is_current()) return;
      if (!account) return declined('wallet_failed');
      const prefer_gasless = gasless && payment.allow_gasless;
      const body = { payer_wallet: account.address, prefer_gasless };
      const built = await api.post<Built>(`${path}/build-transaction`, body);
      if (!is_current()) return;
      const transaction = await asked(() =>
        sign(wallet, account, built.transaction, payment.solana_network),
      );
      if (!is_current() || !transaction) return;
      signed.push({
        signed_transaction: transaction,
        customer_wallet: account.address,
        is_gasless: built.requires_backend_submission,
      });
    },
    () => void payByWallet(visit, wallet, gasless),
  );
  const [handed] = signed;
  if (!handed) return;
  // Where the shop pays no fees at the moment the customer signs once more, with the fee.
  await handIn(visit, payment.payment_id, handed, () => void payByWallet(visit, wallet, false));

  /** Null when the customer or the wallet does not want to. */
  async function asked<Answer>(question: () => Promise<Answer>): Promise<Answer | null> {
    try {
      return await question();
    } catch (error) {
      declined(isRejection(error) ? 'rejected' : 'wallet_failed');
      return null;
    }
  }

  function declined(note: 'rejected' | 'wallet_failed'): void {
    if (store.view.step !== 'signing') return;
    visit.go('choose');
    store.set({ wallet: null, note });
  }
}
