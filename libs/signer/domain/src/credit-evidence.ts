import {
  associatedTokenAccount,
  SYSTEM_PROGRAM,
  SYSTEM_TRANSFER,
  bytesOfBase58,
  TOKEN_PROGRAM,
} from '@tender/transactions';
import type { Roster } from '@tender/threshold';
import type { ToldInstruction, ToldTransaction } from './told-transaction';

/** What the signer’s own node shows of an incoming transaction. */
export interface CreditEvidence {
  readonly found: boolean;
  readonly failed: boolean;
  /** The wallet that it came to: the operating wallet or, where that got nothing, the one of the roster. */
  readonly credited: string;
  /** What that wallet has more of the asset than before, where it is paid. Base units. */
  readonly net_credit: bigint;
  /** The wallets that it came from. */
  readonly sources: readonly string[];
  /** That wallet signed the transaction, or gave something in it. */
  readonly is_exchange: boolean;
}

/** Where money of a merchant comes in. */
export type CreditedWallets = Pick<Roster, 'wallet' | 'settlement_wallet'>;

/**
 * What a transaction brought a merchant of one asset; SOL where the mint is null. Only balances and instructions count:
 * programs write into logs what they like. Where it brought something to the operating wallet, that alone is the
 * credit: what else it brought is none, for every signer and at all times.
 */
export function creditOf(
  told: ToldTransaction | null,
  { wallet, settlement_wallet }: CreditedWallets,
  mint: string | null,
): CreditEvidence {
  const found = { found: told !== null, failed: told?.failed ?? false };
  if (told === null) {
    return { ...found, credited: wallet, net_credit: 0n, sources: [], is_exchange: false };
  }
  const own = creditIn(told, wallet, mint);
  const counts = own.net_credit > 0n || settlement_wallet === null
    ? own
    : creditIn(told, settlement_wallet, mint);
  return { ...found, ...counts };
}

const creditIn = (told: ToldTransaction, wallet: string, mint: string | null) => ({
  ...(mint === null ? creditInSol(told, wallet) : creditInTokens(told, wallet, mint)),
  credited: wallet,
  is_exchange: told.signers.includes(wallet) || gaveSomething(told, wallet),
});

/** Of any program’s tokens: a delegate can take them without a signature of the wallet. */
function gaveSomething({ tokens, lamports }: ToldTransaction, wallet: string): boolean {
  const net = new Map<string, bigint>();
  for (const { owner, mint, delta } of tokens) {
    if (owner === wallet) net.set(mint, (net.get(mint) ?? 0n) + delta);
  }
  return [lamports.get(wallet) ?? 0n, ...net.values()].some((delta) => delta < 0n);
}

type Credit = Pick<CreditEvidence, 'net_credit' | 'sources'>;

/**
 * Sources are all owners that have less of the mint than before: which of them paid whom cannot be told. Only the
 * associated account counts. The operating wallet pays refunds from that one: against money in any other one, which no
 * rule lets leave again, others’ money could be taken out. In the wallet of the roster it is where payments come in.
 */
function creditInTokens({ tokens }: ToldTransaction, wallet: string, mint: string): Credit {
  const counted = tokens.filter((one) => one.mint === mint && one.program === TOKEN_PROGRAM);
  const net = new Map<string, bigint>();
  for (const { owner, delta } of counted) net.set(owner, (net.get(owner) ?? 0n) + delta);
  const sources = [...net].filter(([, delta]) => delta < 0n).map(([owner]) => owner);
  const associated = associatedTokenAccount(wallet, mint);
  const came = counted
    .filter(({ account, owner }) => account === associated && owner === wallet)
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
