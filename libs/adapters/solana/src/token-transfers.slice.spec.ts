import { setTimeout as sleep } from 'node:timers/promises';
import { freshWallet, payOnChain, TransferFailed, type OnChainPayment } from './customer-wallet';
import { TestLocalnet, seen, type OpenChain } from './testing/test-localnet';

const local = new TestLocalnet();
let chain: OpenChain;
beforeAll(async () => {
  await local.start();
  ({ chain } = local);
});
afterAll(() => local.stop());

async function customer(): Promise<string> {
  const wallet = freshWallet();
  await local.control('localnet_faucet', { address: wallet.address, token: 'SOL', amount: '1000000000' });
  await local.control('localnet_faucet', { address: wallet.address, token: 'USDC', amount: '5000000' });
  while ((await chain.balances(wallet.address)).USDC === 0n) await sleep(50);
  return wallet.secret;
}
const usdc = (more: Pick<OnChainPayment, 'from' | 'to' | 'references'> & Partial<OnChainPayment>) =>
  payOnChain({
    rpc_url: local.network.rpc_url,
    commitment: 'confirmed',
    mint: local.network.mints.USDC,
    decimals: 6,
    amount: 1_500_000n,
    ...more,
  });

it('shows a token transfer with several references to an account that it creates', async () => {
  const merchant = freshWallet().address;
  const references = [freshWallet().address, freshWallet().address];
  const from = await chain.slot();
  const { signature } = await usdc({ from: await customer(), to: merchant, references, memo: 'order 7' });
  const account = chain.tokenAccount(merchant, 'USDC');
  const transaction = await seen(chain, from - 1, signature, account);
  const credit = transaction.changes.find((change) => change.owner === merchant);
  expect(credit).toEqual({
    account,
    owner: merchant,
    mint: local.network.mints.USDC,
    token_program: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
    delta: 1_500_000n,
  });
  const places = references.map((reference) => transaction.account_keys.indexOf(reference));
  expect(places.every((place) => place >= 0)).toBe(true);
  expect(await chain.transactionsOf(references[1] as string, 0)).toEqual([transaction]);
  expect((await chain.balances(merchant)).USDC).toBe(1_500_000n);
});

it('keeps a block by the owner of a token account, though the key is in no instruction', async () => {
  const merchant = freshWallet().address;
  const secret = await customer();
  await usdc({ from: secret, to: merchant, references: [] });
  const from = await chain.slot();
  const to_account = chain.tokenAccount(merchant, 'USDC');
  const again = { from: secret, to: merchant, to_account, references: [], amount: 7n };
  const { signature } = await usdc(again);
  const transaction = await seen(chain, from - 1, signature, merchant);
  expect(transaction.account_keys).not.toContain(merchant);
});

it('shows a transaction that landed and failed, with no change but its fee', async () => {
  const reference = freshWallet().address;
  const sent = usdc({
    from: await customer(),
    to: freshWallet().address,
    references: [reference],
    amount: 999_000_000n,
    skip_preflight: true,
  });
  await expect(sent).rejects.toBeInstanceOf(TransferFailed);
  const [transaction] = await chain.transactionsOf(reference, 0);
  expect(transaction).toMatchObject({ failed: true, changes: [], sol_transfer_destinations: [] });
});

it('refuses before it lands what a wallet cannot pay', async () => {
  const sent = usdc({ from: freshWallet().secret, to: freshWallet().address, references: [] });
  await expect(sent).rejects.toMatchObject({ name: 'TransferFailed', signature: null });
});

it('tells wallets from addresses that cannot be paid', async () => {
  const wallet = freshWallet().address;
  await usdc({ from: await customer(), to: wallet, references: [] });
  const kinds = [wallet, freshWallet().address, local.network.mints.USDC, chain.tokenAccount(wallet, 'USDC')];
  expect(await Promise.all(kinds.map((address) => chain.accountKind(address)))).toEqual([
    ...['wallet', 'wallet', 'mint', 'token_account'],
  ]);
  expect(await chain.accountKind('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA')).toBe('program');
});
