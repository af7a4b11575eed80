import { payingTransaction } from './synthetic-block';
import type { ScriptedTransaction } from './fake-chain-spec';

/** What the create answer says about where the money goes. */
export interface Payable {
  readonly id: string;
  /** Solana Pay URI. */
  readonly qr_code: string;
  /** Base units. */
  readonly token_amount: string;
}

/** The transfer that a wallet would make from the payment's QR code. */
export async function transferFor({
  qr_code,
  token_amount,
}: Payable): Promise<ScriptedTransaction> {
  // Loaded when needed: the library says a line about itself on the screen.
  const [{ getAssociatedTokenAddressSync }, { PublicKey }] = await Promise.all([
    import('@solana/spl-token'),
    import('@solana/web3.js'),
  ]);
  const uri = new URL(qr_code);
  const recipient = uri.pathname;
  const [mint, reference] = ['spl-token', 'reference'].map((name) => uri.searchParams.get(name));
  if (!mint || !reference) throw new Error(`not a token payment: ${qr_code}`);
  const owner = new PublicKey(recipient);
  const account = getAssociatedTokenAddressSync(new PublicKey(mint), owner, true);
  return payingTransaction({
    mint,
    recipient,
    reference,
    account: account.toBase58(),
    amount: token_amount,
  });
}
