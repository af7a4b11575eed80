import type { Chain, ChainAccount } from '@tender/eventing';
import { TOKEN_PROGRAM } from '@tender/transactions';
import {
  LOWEST_BALANCE,
  type TransferFailureReason,
  type TransferTerms,
} from '@tender/treasury-domain';
import { markerAddress } from '../outgoing-transfer/marker';

/** The accounts that a transfer touches. */
export interface TransferAccounts {
  /** What the money is taken out of: the wallet, or its token account. */
  readonly source: string;
  /** What it comes into. */
  readonly destination: string;
  readonly marker: string;
}

/** As the chain holds them. */
export interface HeldAccounts {
  readonly to: ChainAccount | null;
  readonly source: ChainAccount | null;
  readonly destination: ChainAccount | null;
  readonly marker: ChainAccount | null;
  readonly fee_payer: ChainAccount | null;
}

export function accountsOf(
  chain: Pick<Chain, 'tokenAccount'>,
  transfer: TransferTerms,
): TransferAccounts {
  const { from, to, asset } = transfer;
  const marker = markerAddress(transfer);
  if (asset === 'SOL') return { source: from, destination: to, marker };
  const account = (wallet: string) => chain.tokenAccount(wallet, asset);
  return { source: account(from), destination: account(to), marker };
}

/** What is asked for, in an order that `heldOf` knows. */
export const addressesOf = (
  { source, destination, marker }: TransferAccounts,
  to: string,
  fee_payer: string,
): readonly string[] => [to, source, destination, marker, fee_payer];

export function heldOf(accounts: readonly (ChainAccount | null)[]): HeldAccounts {
  const [to = null, source = null, destination = null, marker = null, fee_payer = null] = accounts;
  return { to, source, destination, marker, fee_payer };
}

/** Of a token account: where its owner, its amount and its state are. */
const OWNER = 32;
const AMOUNT = 64;
const STATE = 108;
const FROZEN = 2;
const TOKEN_ACCOUNT_BYTES = 165;

const tokenData = (account: ChainAccount | null): Buffer | null =>
  account?.owner === TOKEN_PROGRAM && account.data.length === TOKEN_ACCOUNT_BYTES
    ? Buffer.from(account.data)
    : null;

export const isTokenAccount = (account: ChainAccount | null): boolean =>
  tokenData(account) !== null;

/** Why the transfer cannot be made as these accounts stand; null: it can. `owner`: the bytes of the receiver’s key. */
export function accountsFault(
  { asset, amount, from, to }: TransferTerms,
  held: HeldAccounts,
  owner: Uint8Array,
): TransferFailureReason | null {
  const due = BigInt(amount);
  if (to === from || (held.to !== null && held.to.kind !== 'wallet')) return 'destination_invalid';
  if (asset === 'SOL') return solFault(due, held);
  const receiving = tokenData(held.destination);
  if (receiving !== null) {
    const is_theirs = receiving.subarray(OWNER, OWNER + owner.length).equals(owner);
    if (!is_theirs || receiving[STATE] === FROZEN) return 'destination_invalid';
  }
  return balanceOf({ asset }, held) < due ? 'insufficient_balance' : null;
}

/** What the wallet has of the asset; base units. */
export const balanceOf = (
  { asset }: Pick<TransferTerms, 'asset'>,
  { source }: Pick<HeldAccounts, 'source'>,
): bigint =>
  asset === 'SOL' ? (source?.lamports ?? 0n) : (tokenData(source)?.readBigUInt64LE(AMOUNT) ?? 0n);

/** What the chain wants each of the two to keep, or to have nothing at all. */
function solFault(due: bigint, { source, to }: HeldAccounts): TransferFailureReason | null {
  const left = (source?.lamports ?? 0n) - due;
  if (left !== 0n && left < LOWEST_BALANCE) return 'insufficient_balance';
  return (to?.lamports ?? 0n) + due < LOWEST_BALANCE ? 'destination_invalid' : null;
}
