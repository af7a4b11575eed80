import { decimalsOf } from '../ledger/execute-transaction';
import { readMint, readTokenAccount, uiAmount } from '../wire/token-layout';
import { withContext, type ChainNode, type MethodTable } from './chain-node';
import { addressOf, commitmentOf, fieldsOf } from './params';
import { accountFormOf, renderAccount } from './render-account';
import { invalidParams } from './rpc-error';

function tokenAccountAt({ ledger }: ChainNode, address: string) {
  const account = ledger.vm.account(address);
  if (!account) throw invalidParams('Invalid param: could not find account');
  const token = readTokenAccount(account.owner, account.data);
  if (!token) throw invalidParams('Invalid param: not a Token account');
  return token;
}

/** Token accounts and mints. */
export const tokenMethods: MethodTable = {
  getTokenAccountBalance: (node, [address, config]) => {
    const { amount, mint } = tokenAccountAt(node, addressOf(address));
    const balance = uiAmount(amount, decimalsOf(node.ledger.vm, mint));
    return withContext(node, commitmentOf(fieldsOf(config)), balance);
  },
  getTokenAccountsByOwner: (node, [owner, filter, config]) => {
    const fields = fieldsOf(config);
    const form = accountFormOf(fields);
    const wanted = fieldsOf(filter);
    const mint = wanted['mint'] === undefined ? null : addressOf(wanted['mint']);
    const program = mint === null ? addressOf(wanted['programId']) : null;
    const { vm, tokens } = node.ledger;
    const found = tokens.accounts(addressOf(owner)).flatMap((pubkey) => {
      const account = vm.account(pubkey);
      const token = account && readTokenAccount(account.owner, account.data);
      if (!account || !token) return [];
      const matches = mint === null ? account.owner === program : token.mint === mint;
      return matches ? [{ pubkey, account: renderAccount(vm, account, form) }] : [];
    });
    return withContext(node, commitmentOf(fields), found);
  },
  getTokenSupply: (node, [address, config]) => {
    const account = node.ledger.vm.account(addressOf(address));
    if (!account) throw invalidParams('Invalid param: could not find mint');
    const mint = readMint(account.owner, account.data);
    if (!mint) throw invalidParams('Invalid param: not a Token mint');
    const supply = uiAmount(mint.supply, mint.decimals);
    return withContext(node, commitmentOf(fieldsOf(config)), supply);
  },
};
