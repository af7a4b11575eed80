import type { Chain, WalletBalances } from '@tender/eventing';
import { base58 } from '@tender/transactions';
import { EndpointFailure } from './rpc-endpoint';

/** As `getAccountInfo` and `getMultipleAccounts` tell it, in base64. */
export interface ToldAccount {
  readonly lamports: number;
  readonly owner: string;
  readonly executable: boolean;
  readonly data: readonly [base64: string, encoding: string];
}

const MINT_BYTES = 32;
const AMOUNT_OFFSET = 64;

/** What a node says to be an account, or to be none. Throws `EndpointFailure` where it is neither. */
export function accountOf(told: unknown): ToldAccount | null {
  if (told === null) return null;
  if (isAccount(told)) return told;
  throw new EndpointFailure('what should be an account is none');
}

function isAccount(told: unknown): told is ToldAccount {
  if (typeof told !== 'object' || told === null) return false;
  const { lamports, owner, executable, data } = told as Partial<Record<keyof ToldAccount, unknown>>;
  return (
    Number.isInteger(lamports) &&
    (lamports as number) >= 0 &&
    typeof owner === 'string' &&
    typeof executable === 'boolean' &&
    Array.isArray(data) &&
    typeof data[0] === 'string'
  );
}

/** What a node says of a wallet and of its accounts for USDC and USDT, in this order. */
export function balancesOf(told: unknown, mints: Chain['mints']): WalletBalances {
  if (!Array.isArray(told) || told.length !== 3) {
    throw new EndpointFailure('the accounts that were asked for are not in the answer');
  }
  const [own = null, usdc = null, usdt = null] = told.map(accountOf);
  return {
    SOL: BigInt(own?.lamports ?? 0),
    USDC: tokenAmount(usdc, mints.USDC),
    USDT: tokenAmount(usdt, mints.USDT),
  };
}

/** The amount field of a classic token account; 0 where there is none. */
function tokenAmount(account: ToldAccount | null, mint: string): bigint {
  if (!account) return 0n;
  const data = Buffer.from(account.data[0], 'base64');
  if (data.length < AMOUNT_OFFSET + 8) return 0n;
  const held = base58(data.subarray(0, MINT_BYTES));
  // An associated token account holds its own mint, on every network.
  if (held !== mint) throw new EndpointFailure('it tells of another account than was asked for');
  return data.readBigUInt64LE(AMOUNT_OFFSET);
}
