import bs58 from 'bs58';
import { decimalsOf } from '../ledger/execute-transaction';
import type { Vm, VmAccount } from '../ledger/vm';
import { readMint, readTokenAccount, TOKEN_PROGRAM, uiAmount } from '../wire/token-layout';
import { integerOf, isFields, type Fields } from './params';
import { invalidParams, RPC_CODES, RpcError } from './rpc-error';

const BASE58_BYTES_MAX = 128;
/** 2^64 - 1 does not fit a JSON number; clients read this one as "never". */
const RENT_EPOCH_NEVER = Number.MAX_SAFE_INTEGER;

/** An account as getAccountInfo shows it; null when it does not exist. */
export function renderAccount(vm: Vm, account: VmAccount | null, fields: Fields) {
  if (!account) return null;
  return {
    lamports: Number(account.lamports),
    owner: account.owner,
    data: renderData(vm, account, fields),
    executable: account.executable,
    rentEpoch: RENT_EPOCH_NEVER,
    space: account.data.length,
  };
}

function renderData(vm: Vm, account: VmAccount, { encoding, dataSlice }: Fields): unknown {
  const parsed = encoding === 'jsonParsed' ? parseAccount(vm, account) : null;
  if (parsed) return parsed;
  const slice = isFields(dataSlice) ? dataSlice : null;
  const offset = slice ? integerOf(slice['offset'], 'offset') : 0;
  const length = slice ? integerOf(slice['length'], 'length') : account.data.length;
  const data = account.data.subarray(offset, offset + length);
  if (encoding === 'base58' || encoding === undefined) {
    if (data.length > BASE58_BYTES_MAX) {
      throw new RpcError(
        RPC_CODES.invalidRequest,
        'Encoded binary (base 58) data should be less than 128 bytes, ' +
          'please use Base64 encoding.',
      );
    }
    return encoding === undefined ? bs58.encode(data) : [bs58.encode(data), 'base58'];
  }
  if (encoding !== 'base64' && encoding !== 'jsonParsed') {
    throw invalidParams(`Invalid params: unknown encoding ${JSON.stringify(encoding)}`);
  }
  return [data.toString('base64'), 'base64'];
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
