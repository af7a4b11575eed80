import {
  associatedTokenAccount,
  SYSTEM_PROGRAM,
  SYSTEM_TRANSFER,
  bytesOfBase58,
  TOKEN_PROGRAM,
} from '@tender/transactions';
import { toldTransaction, type ToldInstruction, type ToldTransaction } from './told-transaction';

/** What the signer’s own node shows of an incoming transaction. */
export interface CreditEvidence {
  readonly found: boolean;
  readonly failed: boolean;
  /** What the wallet has more of the asset than before, where it pays from. Base units. */
  readonly net_credit: bigint;
  /** The wallets that it came from. */
  readonly sources: readonly string[];
}

const NOT_FOUND: CreditEvidence = { found: false, failed: false, net_credit: 0n, sources: [] };

/**
 * What a transaction, as `getTransaction` tells it in the encoding `json`, brought a wallet of one asset; SOL where
 * the mint is null. Only balances and instructions count: programs write into logs what they like. What is not in
 * the form of such an answer was not found.
 */
export function creditOf(answer: unknown, wallet: string, mint: string | null): CreditEvidence {
  const told = toldTransaction(answer);
  if (told === null) return NOT_FOUND;
  const credit = mint === null ? creditInSol(told, wallet) : creditInTokens(told, wallet, mint);
  return { found: true, failed: told.failed, ...credit };
}

type Credit = Pick<CreditEvidence, 'net_credit' | 'sources'>;

/**
 * Sources are all owners that have less of the mint than before: which of them paid whom cannot be told. Only the
 * account that refunds leave from counts: against money in any other one, which no rule lets leave again, others’
 * money could be taken out.
 */
function creditInTokens({ tokens }: ToldTransaction, wallet: string, mint: string): Credit {
  const counted = tokens.filter((one) => one.mint === mint && one.program === TOKEN_PROGRAM);
  const net = new Map<string, bigint>();
  for (const { owner, delta } of counted) net.set(owner, (net.get(owner) ?? 0n) + delta);
  const sources = [...net].filter(([, delta]) => delta < 0n).map(([owner]) => owner);
  const payout = associatedTokenAccount(wallet, mint);
  const came = counted
    .filter(({ account, owner }) => account === payout && owner === wallet)
    .reduce((sum, { delta }) => sum + delta, 0n);
  const whole = net.get(wallet) ?? 0n;
  return { net_credit: came < whole ? came : whole, sources };
}

/** Lamports count as far as System transfers brought them: what a closed account leaves behind has no source. */
function creditInSol(told: ToldTransaction, wallet: string): Credit {
  const brought = told.instructions
    .map(systemTransfer)
    .filter((transfer) => transfer !== null)
    .filter(({ from, to }) => to === wallet && from !== wallet);
  const sum = brought.reduce((total, { lamports }) => total + lamports, 0n);
  const delta = told.lamports.get(wallet) ?? 0n;
  const sources = [...new Set(brought.map(({ from }) => from))];
  return { net_credit: delta < sum ? delta : sum, sources };
}

const TRANSFER_BYTES = 12;

/** Null for any other instruction. */
function systemTransfer({ program, accounts, data }: ToldInstruction) {
  if (program !== SYSTEM_PROGRAM) return null;
  const bytes = bytesOfBase58(data, TRANSFER_BYTES);
  const [from, to] = accounts;
  if (bytes === null || from === undefined || to === undefined) return null;
  const read = Buffer.from(bytes);
  return read.readUInt32LE(0) === SYSTEM_TRANSFER
    ? { from, to, lamports: read.readBigUInt64LE(4) }
    : null;
}
