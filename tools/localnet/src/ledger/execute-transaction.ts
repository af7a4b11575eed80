import type { DecodedTransaction } from '../wire/decoded-transaction';
import { feeOf, loadedAddresses, memosOf } from '../wire/decoded-transaction';
import { LOOKUP_TABLE_PROGRAM, readMint, readTokenAccount, uiAmount } from '../wire/token-layout';
import type { TokenBalance, TransactionBody, TransactionHeader } from './log-records';
import type { Vm, VmAccount } from './vm';

export interface Executed {
  readonly header: Omit<TransactionHeader, 'type' | 'slot'>;
  readonly body: TransactionBody;
  /** The accounts after it, in the order of `header.keys`. */
  readonly accounts: readonly (VmAccount | null)[];
}

export interface AllKeys {
  readonly keys: readonly string[];
  readonly loadedWritable: number;
}

/** Static and loaded keys, or null when a lookup table does not hold what the message wants. */
export function allKeysOf(vm: Vm, decoded: DecodedTransaction): AllKeys | null {
  const loaded = loadedAddresses(decoded.message, (address) => {
    const table = vm.account(address);
    return table?.owner === LOOKUP_TABLE_PROGRAM ? table.data : null;
  });
  if (!loaded) return null;
  return {
    keys: [...decoded.staticKeys, ...loaded.writable, ...loaded.readonly],
    loadedWritable: loaded.writable.length,
  };
}

/** Runs it. Null when it never lands: it failed before a fee could be taken. */
export function executeTransaction(vm: Vm, decoded: DecodedTransaction): Executed | null {
  const resolved = allKeysOf(vm, decoded);
  if (!resolved) return null;
  const { keys, loadedWritable } = resolved;
  const before = keys.map((key) => vm.account(key));
  const preTokenBalances = tokenBalances(vm, keys, before);
  const outcome = vm.execute(decoded.wire);
  const accounts = keys.map((key) => vm.account(key));
  // A failed transaction that paid nothing was refused by the leader: no block holds it.
  if (outcome.error !== null && lamportsOf(before[0]) === lamportsOf(accounts[0])) return null;
  const memo = memosOf(decoded);
  return {
    accounts,
    header: {
      sig: decoded.signature,
      keys,
      ...(outcome.error === null ? {} : { err: outcome.error }),
      ...(memo === null ? {} : { memo }),
      expired: vm.hashesExpired,
    },
    body: {
      wire: decoded.wire.toString('base64'),
      fee: Number(feeOf(decoded.message)),
      staticKeys: decoded.staticKeys.length,
      loadedWritable,
      preBalances: before.map(lamportsOf),
      postBalances: accounts.map(lamportsOf),
      preTokenBalances,
      postTokenBalances: tokenBalances(vm, keys, accounts),
      logs: outcome.logs,
      inner: outcome.inner,
      computeUnits: outcome.computeUnits,
      returnData: outcome.returnData,
    },
  };
}

const lamportsOf = (account: VmAccount | null | undefined) => Number(account?.lamports ?? 0n);

/** Decimals of a mint; 0 when there is none. */
export function decimalsOf(vm: Vm, mint: string): number {
  const account = vm.account(mint);
  return (account && readMint(account.owner, account.data)?.decimals) ?? 0;
}

function tokenBalances(
  vm: Vm,
  keys: readonly string[],
  accounts: readonly (VmAccount | null)[],
): TokenBalance[] {
  return keys.flatMap((_, accountIndex) => {
    const account = accounts[accountIndex];
    const token = account && readTokenAccount(account.owner, account.data);
    if (!account || !token) return [];
    const { mint, owner, amount } = token;
    const uiTokenAmount = uiAmount(amount, decimalsOf(vm, mint));
    return [{ accountIndex, mint, owner, programId: account.owner, uiTokenAmount }];
  });
}
