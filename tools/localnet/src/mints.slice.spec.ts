// Where USDC and USDT lie: as on devnet and mainnet, and in a folder from before, where they have always been.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Keypair } from '@solana/web3.js';
import { callRpc } from './call-rpc';
import { startLocalnet, type Localnet } from './localnet';

const MAINNET_USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const DEVNET_USDC = '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU';
const USDT = 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB';

let folder: string;
let localnet: Localnet | null = null;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'localnet-mints-'));
});
afterEach(async () => {
  await localnet?.close();
  localnet = null;
  rmSync(folder, { recursive: true });
});

const start = async () => (localnet = await startLocalnet({ dataDir: folder }));

/** What a wallet has of each token after the faucet gave it some, by mint. */
async function given(url: string): Promise<Record<string, string>> {
  const owner = Keypair.generate().publicKey;
  for (const [token, amount] of [['USDC', '2'], ['USDT', '3']]) {
    await callRpc(url, 'localnet_faucet', { address: owner, token, amount });
  }
  const programId = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
  const config = { encoding: 'jsonParsed' };
  type Info = { mint: string; tokenAmount: { amount: string } };
  const { value } = await callRpc<{
    value: { account: { data: { parsed: { info: Info } } } }[];
  }>(url, 'getTokenAccountsByOwner', owner, { programId }, config);
  return Object.fromEntries(
    value.map(({ account }) => {
      const { mint, tokenAmount } = account.data.parsed.info;
      return [mint, tokenAmount.amount];
    }),
  );
}

it('the test chain has USDC at devnet’s address, the live one at mainnet’s', async () => {
  const { networks } = await start();
  expect(networks.test.mints).toEqual({ USDC: DEVNET_USDC, USDT });
  expect(networks.live.mints).toEqual({ USDC: MAINNET_USDC, USDT });
  expect(await given(networks.test.rpc_url)).toEqual({ [DEVNET_USDC]: '2', [USDT]: '3' });
  expect(await given(networks.live.rpc_url)).toEqual({ [MAINNET_USDC]: '2', [USDT]: '3' });
});

it('a folder from before networks differed keeps its own', async () => {
  await (await start()).close();
  const path = join(folder, 'test', 'genesis.json');
  const { mints, ...before } = JSON.parse(readFileSync(path, 'utf8')) as { mints: object };
  expect(mints).toEqual({ USDC: DEVNET_USDC, USDT });
  writeFileSync(path, JSON.stringify(before));
  const { networks } = await start();
  expect(networks.test.mints).toEqual({ USDC: MAINNET_USDC, USDT });
  expect(await given(networks.test.rpc_url)).toEqual({ [MAINNET_USDC]: '2', [USDT]: '3' });
});
