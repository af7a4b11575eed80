import { TOKEN_PROGRAM, type SeenChange, type SeenTransaction } from './transaction';

/** What one transaction brought one wallet in one mint, net over all the wallet's accounts of it. */
export interface Credit {
  readonly signature: string;
  readonly slot: number;
  readonly wallet: string;
  /** Null for SOL. */
  readonly mint: string | null;
  /** The account that received most: with the signature it names the credit. */
  readonly account: string;
  /** Base units, above 0. */
  readonly amount: bigint;
  /** Net per account of the wallet. */
  readonly by_account: ReadonlyMap<string, bigint>;
  /** Held by the classic token program, or SOL. */
  readonly classic: boolean;
  /** Unix seconds. */
  readonly block_time: number;
  /** The wallet that lost most of the mint; null when none did (a mint, a rent refund). */
  readonly from_wallet: string | null;
}

/**
 * The credits of a transaction to the wallets asked for. What was taken back, moved between accounts
 * of one wallet, or failed is no credit; neither is SOL that no System transfer brought.
 */
export function creditsOf(
  transaction: SeenTransaction,
  isMerchantWallet: (wallet: string) => boolean,
): readonly Credit[] {
  if (transaction.failed) return [];
  const groups = new Map<string, SeenChange[]>();
  for (const change of transaction.changes) {
    if (!isMerchantWallet(change.owner)) continue;
    const group = `${change.owner}:${change.mint ?? ''}`;
    groups.set(group, [...(groups.get(group) ?? []), change]);
  }
  const credits: Credit[] = [];
  for (const changes of groups.values()) {
    const credit = creditOf(transaction, changes);
    if (credit) credits.push(credit);
  }
  return credits;
}

function creditOf(transaction: SeenTransaction, changes: readonly SeenChange[]): Credit | null {
  const [first] = changes;
  if (!first) return null;
  const { owner: wallet, mint } = first;
  const amount = changes.reduce((sum, { delta }) => sum + delta, 0n);
  if (amount <= 0n) return null;
  if (mint === null && !transaction.sol_transfer_destinations.includes(wallet)) return null;
  const main = changes.reduce((best, change) => (change.delta > best.delta ? change : best));
  return {
    signature: transaction.signature,
    slot: transaction.slot,
    wallet,
    mint,
    account: main.account,
    amount,
    by_account: new Map(changes.map(({ account, delta }) => [account, delta])),
    classic: mint === null || changes.every(({ token_program }) => token_program === TOKEN_PROGRAM),
    block_time: transaction.block_time,
    from_wallet: payerOf(transaction, mint),
  };
}

/** Who lost most of the mint over the transaction. */
export function payerOf(transaction: SeenTransaction, mint: string | null): string | null {
  const net = new Map<string, bigint>();
  for (const { owner, mint: moved, delta } of transaction.changes) {
    if (moved === mint) net.set(owner, (net.get(owner) ?? 0n) + delta);
  }
  let payer: string | null = null;
  let lost = 0n;
  for (const [owner, delta] of net) {
    if (delta < lost) [payer, lost] = [owner, delta];
  }
  return payer;
}

/** `<signature>:<account>:<mint>`: the id of the stream on which a credit is decided (M7). */
export const creditId = ({ signature, account, mint }: Credit): string =>
  `${signature}:${account}:${mint ?? 'SOL'}`;

/** Of the transaction that brought the credit of that id. */
export const signatureOfCredit = (credit_id: string): string =>
  credit_id.slice(0, credit_id.indexOf(':'));
