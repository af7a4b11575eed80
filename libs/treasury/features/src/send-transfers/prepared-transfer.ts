import type { Chain, RecentBlockhash } from '@tender/eventing';
import { TOKEN_DECIMALS } from '@tender/kernel';
import {
  MARKER_RENT,
  markerOf,
  OUTGOING_UNIT_LIMIT,
  outgoingMessage,
  readMessage,
  transactionFee,
  usualBudget,
  type SentToken,
} from '@tender/transactions';
import type { TransferTerms } from '@tender/treasury-domain';
import { RENT_OF_TOKEN_ACCOUNT } from '../sponsor-transaction/cost-of';
import { isTokenAccount, type HeldAccounts, type TransferAccounts } from './due-accounts';

/** One transaction of a transfer, before anyone has signed it. */
export interface PreparedTransfer {
  readonly message: Uint8Array;
  readonly blockhash: RecentBlockhash;
  /** What it costs the fee wallet at most, and the closing of its marker with it. Lamports. */
  readonly lamports: bigint;
}

/** Of a transaction that closes this marker alone. Lamports. */
const CLOSING_FEE = 5_000n;

/** Builds it over the newest blockhash, at the usual price. */
export async function preparedTransfer(
  chain: Chain,
  transfer: TransferTerms,
  accounts: TransferAccounts,
  held: HeldAccounts,
  fee_payer: string,
): Promise<PreparedTransfer> {
  const { from, to, asset, amount, transfer_id } = transfer;
  const { source, destination } = accounts;
  const [blockhash, compute] = await Promise.all([
    chain.latestBlockhash(),
    usualBudget(chain, [source, destination], OUTGOING_UNIT_LIMIT),
  ]);
  const token: SentToken | null =
    asset === 'SOL'
      ? null
      : { mint: chain.mints[asset], decimals: TOKEN_DECIMALS[asset], source, destination };
  const message = outgoingMessage({
    ...{ wallet: from, fee_payer, to, token, amount: BigInt(amount), compute },
    marker: markerOf(from, transfer_id),
    recent_blockhash: blockhash.blockhash,
  });
  const makes_account = token !== null && !isTokenAccount(held.destination);
  const rent = MARKER_RENT + (makes_account ? RENT_OF_TOKEN_ACCOUNT : 0n);
  const lamports = transactionFee(readMessage(message)) + rent + CLOSING_FEE;
  return { message, blockhash, lamports };
}
