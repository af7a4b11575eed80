import { accountFilterOf } from './account-filter';
import { withContext, type MethodTable } from './chain-node';
import { addressOf, commitmentOf, fieldsOf, integerOf, listOf } from './params';
import { accountFormOf, renderAccount } from './render-account';
import { invalidParams } from './rpc-error';

const ACCOUNTS_MAX = 100;
const ACCOUNT_BYTES_MAX = 10 * 1024 * 1024;

/** Accounts. They are always as of the newest slot, whatever commitment is asked for. */
export const accountMethods: MethodTable = {
  getBalance: (node, [address, config]) => {
    const lamports = node.ledger.vm.lamports(addressOf(address));
    return withContext(node, commitmentOf(fieldsOf(config)), Number(lamports));
  },
  getAccountInfo: (node, [address, config]) => {
    const fields = fieldsOf(config);
    const { vm } = node.ledger;
    const form = accountFormOf(fields);
    const account = renderAccount(vm, vm.account(addressOf(address)), form);
    return withContext(node, commitmentOf(fields), account);
  },
  getMultipleAccounts: (node, [addresses, config]) => {
    const fields = fieldsOf(config);
    const { vm } = node.ledger;
    const form = accountFormOf(fields, 'base64');
    const accounts = listOf(addresses, ACCOUNTS_MAX).map((address) =>
      renderAccount(vm, vm.account(addressOf(address)), form),
    );
    return withContext(node, commitmentOf(fields), accounts);
  },
  getProgramAccounts: (node, [program, config]) => {
    const fields = fieldsOf(config);
    const form = accountFormOf(fields);
    const filter = accountFilterOf(fields['filters']);
    const { vm } = node.ledger;
    const found = [...vm.accountsOwnedBy(addressOf(program))]
      .filter(({ account }) => filter.matches(account))
      .map(({ address, account }) => ({
        pubkey: address,
        account: renderAccount(vm, account, form),
      }));
    return fields['withContext'] === true ? withContext(node, commitmentOf(fields), found) : found;
  },
  getMinimumBalanceForRentExemption: ({ ledger }, [bytes]) => {
    const size = integerOf(bytes, 'data length');
    if (size > ACCOUNT_BYTES_MAX) throw invalidParams('Invalid params: data length too large');
    return Number(ledger.vm.rentExemption(size));
  },
};
