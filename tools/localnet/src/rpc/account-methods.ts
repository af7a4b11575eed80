import bs58 from 'bs58';
import type { VmAccount } from '../ledger/vm';
import { withContext, type MethodTable } from './chain-node';
import { addressOf, commitmentOf, fieldsOf, integerOf, isFields, listOf } from './params';
import { renderAccount } from './render-account';
import { invalidParams } from './rpc-error';

const ACCOUNTS_MAX = 100;
const FILTERS_MAX = 4;
const ACCOUNT_BYTES_MAX = 10 * 1024 * 1024;

type AccountTest = (account: VmAccount) => boolean;

/** The `filters` of getProgramAccounts and programSubscribe. */
export function accountFilter(filters: unknown): AccountTest {
  const tests = listOf(filters ?? [], FILTERS_MAX).map((filter): AccountTest => {
    if (!isFields(filter)) throw invalidParams('Invalid params: a filter is an object');
    if ('dataSize' in filter) {
      const size = integerOf(filter['dataSize'], 'dataSize');
      return ({ data }) => data.length === size;
    }
    const { memcmp } = filter;
    if (!isFields(memcmp)) throw invalidParams('Invalid params: unknown filter');
    const { bytes, encoding = 'base58' } = memcmp;
    if (typeof bytes !== 'string') throw invalidParams('Invalid params: memcmp needs bytes');
    const offset = integerOf(memcmp['offset'], 'offset');
    const wanted =
      encoding === 'base64' ? Buffer.from(bytes, 'base64') : Buffer.from(bs58.decode(bytes));
    return ({ data }) => data.subarray(offset, offset + wanted.length).equals(wanted);
  });
  return (account) => tests.every((test) => test(account));
}

/** Accounts. They are always as of the newest slot, whatever commitment is asked for. */
export const accountMethods: MethodTable = {
  getBalance: (node, [address, config]) => {
    const lamports = node.ledger.vm.lamports(addressOf(address));
    return withContext(node, commitmentOf(fieldsOf(config)), Number(lamports));
  },
  getAccountInfo: (node, [address, config]) => {
    const fields = fieldsOf(config);
    const { vm } = node.ledger;
    const account = renderAccount(vm, vm.account(addressOf(address)), fields);
    return withContext(node, commitmentOf(fields), account);
  },
  getMultipleAccounts: (node, [addresses, config]) => {
    const fields = fieldsOf(config);
    const { vm } = node.ledger;
    const accounts = listOf(addresses, ACCOUNTS_MAX).map((address) =>
      renderAccount(vm, vm.account(addressOf(address)), { encoding: 'base64', ...fields }),
    );
    return withContext(node, commitmentOf(fields), accounts);
  },
  getProgramAccounts: (node, [program, config]) => {
    const fields = fieldsOf(config);
    const matches = accountFilter(fields['filters']);
    const { vm } = node.ledger;
    const found = [...vm.accountsOwnedBy(addressOf(program))]
      .filter(({ account }) => matches(account))
      .map(({ address, account }) => ({
        pubkey: address,
        account: renderAccount(vm, account, fields),
      }));
    return fields['withContext'] === true ? withContext(node, commitmentOf(fields), found) : found;
  },
  getMinimumBalanceForRentExemption: ({ ledger }, [bytes]) => {
    const size = integerOf(bytes, 'data length');
    if (size > ACCOUNT_BYTES_MAX) throw invalidParams('Invalid params: data length too large');
    return Number(ledger.vm.rentExemption(size));
  },
};
