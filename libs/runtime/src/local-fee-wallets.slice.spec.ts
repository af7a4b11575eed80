import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { addressOfKeyFile, freshWallet } from '@tender/adapter-solana';
import { TestLocalnet } from '@tender/adapter-solana/testing';
import { localFeeWallets } from './local-fee-wallets';

const settings = {
  sponsor: { test: 'KEY_OF_TEST', live: 'KEY_OF_LIVE' },
  'payout-fee': { test: 'PAYOUT_KEY_OF_TEST', live: 'PAYOUT_KEY_OF_LIVE' },
};
const local = new TestLocalnet();
const folders: string[] = [];

beforeAll(() => local.start());
afterAll(async () => {
  await local.stop();
  for (const folder of folders) rmSync(folder, { recursive: true });
});

function freshFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'tender-fees-'));
  folders.push(folder);
  return folder;
}

const read = (data_dir: string, env: NodeJS.ProcessEnv = {}) =>
  localFeeWallets({ env, data_dir, settings });
const networks = (rpc_url = local.network.rpc_url) => ({
  test: { ...local.network, rpc_url },
  live: { ...local.network, rpc_url },
});
const payerOf = (sponsors: ReturnType<typeof read>, mode: 'test' | 'live' = 'test') =>
  sponsors.paidFor(networks())[mode].fee_payer;
const lamportsOf = async (address: string) =>
  (await local.chain.accounts([address]))[0]?.lamports ?? 0n;
const warnings: string[] = [];
const log = {
  info: () => undefined,
  warn: (_: object, text: string) => void warnings.push(text),
  error: () => undefined,
};

test('keys are made once, one for each purpose and mode, for their owner alone', () => {
  const folder = freshFolder();
  const [first, again] = [read(folder), read(folder)];
  const files = Object.values(first.env);
  expect(Object.keys(first.env)).toEqual([
    ...['KEY_OF_TEST', 'KEY_OF_LIVE', 'PAYOUT_KEY_OF_TEST', 'PAYOUT_KEY_OF_LIVE'],
  ]);
  expect(again.env).toEqual(first.env);
  for (const file of files) expect(statSync(file).mode & 0o777).toBe(0o600);
  const addresses = files.map((file) => addressOfKeyFile(readFileSync(file, 'utf8')));
  expect([payerOf(again), payerOf(again, 'live')]).toEqual(addresses.slice(0, 2));
  expect(new Set(addresses).size).toBe(4);
});

test('they get what they need, and no more of it the next time', async () => {
  const sponsors = read(freshFolder());
  await sponsors.fund(networks(), log);
  const funds = await lamportsOf(payerOf(sponsors));
  expect(funds).toBeGreaterThan(0n);
  await sponsors.fund(networks(), log);
  expect(await lamportsOf(payerOf(sponsors))).toBe(funds);
  expect(await lamportsOf(payerOf(sponsors, 'live'))).toBe(funds);
  const payout = addressOfKeyFile(readFileSync(sponsors.env['PAYOUT_KEY_OF_TEST'] as string, 'utf8'));
  expect(await lamportsOf(payout ?? '')).toBe(funds);
  expect(warnings).toEqual([]);
});

test('a chain that does not answer is a warning', async () => {
  const nowhere = 'http://127.0.0.1:1';
  await read(freshFolder()).fund(networks(nowhere), log);
  const said = 'a fee wallet got no funds: it pays for nothing';
  expect(warnings.splice(0)).toEqual([said, said, said, said]);
});

test('the key that the operator names is taken; on a chain outside nothing is made', () => {
  const folder = freshFolder();
  const file = path.join(folder, 'own');
  const { address, secret } = freshWallet();
  writeFileSync(file, secret, { mode: 0o600 });
  const sponsors = read(folder, { KEY_OF_TEST: file, SOLANA_RPC_URL_LIVE: 'https://x.example' });
  expect(sponsors.env).toMatchObject({ KEY_OF_TEST: file });
  expect(Object.keys(sponsors.env)).toEqual(['KEY_OF_TEST', 'PAYOUT_KEY_OF_TEST']);
  expect(payerOf(sponsors)).toBe(address);
  expect(payerOf(sponsors, 'live')).toBe(local.network.fee_payer);
});

test('a file that others may read is refused by the name of its setting', () => {
  const file = path.join(freshFolder(), 'own');
  writeFileSync(file, freshWallet().secret, { mode: 0o644 });
  expect(() => read(freshFolder(), { KEY_OF_LIVE: file })).toThrow(/^KEY_OF_LIVE names .*600\.$/);
});
