import bs58 from 'bs58';

export const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
export const TOKEN_2022_PROGRAM = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb';
export const ASSOCIATED_TOKEN_PROGRAM = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL';
export const SYSTEM_PROGRAM = '11111111111111111111111111111111';
export const LOOKUP_TABLE_PROGRAM = 'AddressLookupTab1e1111111111111111111111111';
export const MEMO_PROGRAMS = [
  'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
  'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo',
];

export const TOKEN_ACCOUNT_BYTES = 165;
export const MINT_BYTES = 82;
/** Token-2022 writes the kind of an account with extensions right after the base layout. */
const KIND_OFFSET = 165;
const KIND_MINT = 1;
const KIND_ACCOUNT = 2;

export interface TokenAccount {
  readonly mint: string;
  readonly owner: string;
  /** Base units. */
  readonly amount: bigint;
  readonly delegate: string | null;
  readonly delegatedAmount: bigint;
  readonly state: 'initialized' | 'frozen';
  readonly isNative: boolean;
  readonly rentExemptReserve: bigint;
  readonly closeAuthority: string | null;
}

export interface Mint {
  readonly authority: string | null;
  readonly freezeAuthority: string | null;
  readonly supply: bigint;
  readonly decimals: number;
  readonly isInitialized: boolean;
}

const key = (data: Buffer, offset: number) => bs58.encode(data.subarray(offset, offset + 32));
const optionalKey = (data: Buffer, offset: number) =>
  data.readUInt32LE(offset) === 0 ? null : key(data, offset + 4);

export const isTokenProgram = (owner: string) =>
  owner === TOKEN_PROGRAM || owner === TOKEN_2022_PROGRAM;

/** The token account in an account's data, or null when it is something else. */
export function readTokenAccount(owner: string, data: Buffer): TokenAccount | null {
  if (!isTokenProgram(owner) || data.length < TOKEN_ACCOUNT_BYTES) return null;
  const extended = data.length > TOKEN_ACCOUNT_BYTES;
  if (extended && (owner === TOKEN_PROGRAM || data[KIND_OFFSET] !== KIND_ACCOUNT)) return null;
  const state = data[108];
  if (state !== 1 && state !== 2) return null;
  return {
    mint: key(data, 0),
    owner: key(data, 32),
    amount: data.readBigUInt64LE(64),
    delegate: optionalKey(data, 72),
    state: state === 2 ? 'frozen' : 'initialized',
    isNative: data.readUInt32LE(109) === 1,
    rentExemptReserve: data.readBigUInt64LE(113),
    delegatedAmount: data.readBigUInt64LE(121),
    closeAuthority: optionalKey(data, 129),
  };
}

/** The mint in an account's data, or null when it is something else. */
export function readMint(owner: string, data: Buffer): Mint | null {
  if (!isTokenProgram(owner) || data.length < MINT_BYTES) return null;
  if (data.length > MINT_BYTES && data[KIND_OFFSET] !== KIND_MINT) return null;
  return {
    authority: optionalKey(data, 0),
    supply: data.readBigUInt64LE(36),
    decimals: data[44] ?? 0,
    isInitialized: data[45] === 1,
    freezeAuthority: optionalKey(data, 46),
  };
}

/** The data of a mint account as the token program would have written it. */
export function writeMint(mint: { authority: string; decimals: number; supply: bigint }): Buffer {
  const data = Buffer.alloc(MINT_BYTES);
  data.writeUInt32LE(1, 0);
  data.set(bs58.decode(mint.authority), 4);
  data.writeBigUInt64LE(mint.supply, 36);
  data[44] = mint.decimals;
  data[45] = 1;
  return data;
}

/** The data of an initialized token account without delegate or close authority. */
export function writeTokenAccount(account: {
  mint: string;
  owner: string;
  amount: bigint;
}): Buffer {
  const data = Buffer.alloc(TOKEN_ACCOUNT_BYTES);
  data.set(bs58.decode(account.mint), 0);
  data.set(bs58.decode(account.owner), 32);
  data.writeBigUInt64LE(account.amount, 64);
  data[108] = 1;
  return data;
}

/** A token amount in the RPC's form. */
export function uiAmount(amount: bigint, decimals: number) {
  const digits = amount.toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  const text = fraction ? `${whole}.${fraction}` : whole;
  return { amount: amount.toString(), decimals, uiAmount: Number(text), uiAmountString: text };
}
