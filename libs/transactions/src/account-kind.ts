import { TOKEN_PROGRAM } from './programs';

const TOKEN_PROGRAMS: ReadonlySet<string> = new Set([
  TOKEN_PROGRAM,
  'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
]);
/** Owns the accounts by which the runtime tells programs of itself; what they are sent is lost. */
const SYSVARS = 'Sysvar1111111111111111111111111111111111111';
const MINT_BYTES = 82;
const TOKEN_ACCOUNT_BYTES = 165;
/** A signing group of the token programs, which may own token accounts. No other account of theirs is this long. */
const MULTISIG_BYTES = 355;
/** Token-2022 writes here, behind the longest plain account, what an account with extensions is. */
const KIND_OFFSET = 165;
const KIND_OF_MINT = 1;
const KIND_OF_TOKEN_ACCOUNT = 2;

/** Enough of an account to tell what it is, however large a program is. */
export const KIND_SLICE = { offset: 0, length: MULTISIG_BYTES + 1 };

interface ToldAccount {
  readonly owner: string;
  readonly executable: boolean;
  /** Of `KIND_SLICE` at least. */
  readonly data: Uint8Array;
}

/** What an account is for one who wants to be paid there; null: there is none yet. */
export function accountKindOf(
  account: ToldAccount | null,
): 'wallet' | 'mint' | 'token_account' | 'program' {
  if (account === null) return 'wallet';
  if (account.executable || account.owner === SYSVARS) return 'program';
  if (!TOKEN_PROGRAMS.has(account.owner)) return 'wallet';
  const { data } = account;
  if (data.length === MULTISIG_BYTES) return 'wallet';
  const kind = data[KIND_OFFSET];
  if (data.length === MINT_BYTES || kind === KIND_OF_MINT) return 'mint';
  if (data.length === TOKEN_ACCOUNT_BYTES || kind === KIND_OF_TOKEN_ACCOUNT) return 'token_account';
  return 'wallet';
}
