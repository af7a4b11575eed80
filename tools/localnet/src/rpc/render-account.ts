import { zstdCompressSync } from 'node:zlib';
import bs58 from 'bs58';
import { decimalsOf } from '../ledger/execute-transaction';
import type { Vm, VmAccount } from '../ledger/vm';
import { readMint, readTokenAccount, TOKEN_PROGRAM, uiAmount } from '../wire/token-layout';
import { fieldsOf, integerOf, oneOf, type Fields } from './params';
import { RPC_CODES, RpcError } from './rpc-error';

const BASE58_BYTES_MAX = 128;
/** 2^64 - 1 does not fit a JSON number; clients read this one as "never". */
const RENT_EPOCH_NEVER = Number.MAX_SAFE_INTEGER;

/** `binary` is base58 in its old form, a bare string: what a client gets that names no encoding. */
const ENCODINGS = ['binary', 'base58', 'base64', 'base64+zstd', 'jsonParsed'] as const;
type AccountEncoding = (typeof ENCODINGS)[number];

/** How the caller wants accounts. */
export interface AccountForm {
  readonly encoding: AccountEncoding;
  /** The part of the data that is wanted; null for all of it. */
  readonly slice: { readonly offset: number; readonly length: number } | null;
}

/** Read before any account is: a form that is none is refused also where there is nothing to show. */
export function accountFormOf(fields: Fields, byDefault: AccountEncoding = 'binary'): AccountForm {
  const { encoding = byDefault, dataSlice } = fields;
  const slice = dataSlice === undefined ? null : fieldsOf(dataSlice);
  return {
    encoding: oneOf(encoding, ENCODINGS, 'encoding'),
    slice: slice && {
      offset: integerOf(slice['offset'], 'offset'),
      length: integerOf(slice['length'], 'length'),
    },
  };
}

/** An account as getAccountInfo shows it; null when it does not exist. */
export function renderAccount(vm: Vm, account: VmAccount | null, form: AccountForm) {
  if (!account) return null;
  return {
    lamports: Number(account.lamports),
    owner: account.owner,
    data: renderData(vm, account, form),
    executable: account.executable,
    rentEpoch: RENT_EPOCH_NEVER,
    space: account.data.length,
  };
}

/** The same for a subscriber, who cannot be refused any more: data too long for base58 comes as base64. */
export function renderForSubscriber(vm: Vm, account: VmAccount | null, form: AccountForm) {
  const long = account !== null && isTooLong(account.data.length, form);
  return renderAccount(vm, account, long ? { ...form, encoding: 'base64' } : form);
}

/** Refuses base58 of data of so many bytes, as a node does: the time of encoding grows with the square. */
export function checkBase58(bytes: number, form: AccountForm): void {
  if (!isTooLong(bytes, form)) return;
  throw new RpcError(
    RPC_CODES.invalidRequest,
    'Encoded binary (base 58) data should be less than 128 bytes, please use Base64 encoding.',
  );
}

function isTooLong(bytes: number, { encoding, slice }: AccountForm): boolean {
  if (encoding !== 'binary' && encoding !== 'base58') return false;
  const shown = slice ? Math.min(slice.length, Math.max(0, bytes - slice.offset)) : bytes;
  return shown > BASE58_BYTES_MAX;
}

function renderData(vm: Vm, account: VmAccount, form: AccountForm): unknown {
  const { encoding, slice } = form;
  const parsed = encoding === 'jsonParsed' ? parseAccount(vm, account) : null;
  if (parsed) return parsed;
  checkBase58(account.data.length, form);
  const { offset, length } = slice ?? { offset: 0, length: account.data.length };
  const data = account.data.subarray(offset, offset + length);
  switch (encoding) {
    case 'binary':
      return bs58.encode(data);
    case 'base58':
      return [bs58.encode(data), encoding];
    case 'base64+zstd':
      return [zstdCompressSync(data).toString('base64'), encoding];
    default:
      return [data.toString('base64'), 'base64'];
  }
}

function parseAccount(vm: Vm, { owner, data }: VmAccount): object | null {
  const program = owner === TOKEN_PROGRAM ? 'spl-token' : 'spl-token-2022';
  const space = data.length;
  const token = readTokenAccount(owner, data);
  if (token) {
    const decimals = decimalsOf(vm, token.mint);
    const { isNative, mint, state, delegate, closeAuthority } = token;
    const info = {
      isNative,
      mint,
      owner: token.owner,
      state,
      tokenAmount: uiAmount(token.amount, decimals),
      ...(delegate
        ? { delegate, delegatedAmount: uiAmount(token.delegatedAmount, decimals) }
        : {}),
      ...(closeAuthority ? { closeAuthority } : {}),
      ...(isNative ? { rentExemptReserve: uiAmount(token.rentExemptReserve, decimals) } : {}),
    };
    return { program, parsed: { type: 'account', info }, space };
  }
  const mint = readMint(owner, data);
  if (!mint) return null;
  const { authority, freezeAuthority, supply, decimals, isInitialized } = mint;
  const info = {
    mintAuthority: authority,
    freezeAuthority,
    supply: supply.toString(),
    decimals,
    isInitialized,
  };
  return { program, parsed: { type: 'mint', info }, space };
}
