import { randomBytes } from 'node:crypto';
import { Keypair } from '@solana/web3.js';
import bs58 from 'bs58';
import { treasurySettings } from './settings';

const keypair = Keypair.fromSeed(randomBytes(32));
const list = JSON.stringify([...keypair.secretKey]);
const place = (text: string) => ({ url: '', approval_url: '', secretFile: () => text });
const FILE = { SPONSOR_KEY_FILE_TEST: '/keys/test' };

test.each([
  ['the list of numbers that solana-keygen writes', list],
  ['base58', bs58.encode(keypair.secretKey)],
  ['the seed in base64', Buffer.from(keypair.secretKey.subarray(0, 32)).toString('base64')],
])('a key file holds %s', async (_, text) => {
  const { sponsors } = treasurySettings.read(FILE, place(text));
  expect(sponsors).toMatchObject({ test: { address: keypair.publicKey.toBase58() }, live: null });
});

test.each([
  ...['', '[]', '[1,2', '{}', '[256]', 'l'.repeat(88), bs58.encode(randomBytes(64))],
  JSON.stringify([...keypair.secretKey.subarray(0, 32)]),
])('"%s" is no key, which the sentence does not repeat', (text) => {
  expect(() => treasurySettings.read(FILE, place(text))).toThrow(
    'SPONSOR_KEY_FILE_TEST names /keys/test, which holds no key: it takes what solana-keygen writes.',
  );
});

test('without a file there is no sponsor', () => {
  expect(treasurySettings.read({}, place('')).sponsors).toEqual({ test: null, live: null });
});

test('quotas have defaults and bounds', () => {
  expect(treasurySettings.read({}, place('')).quotas).toEqual({
    ...{ per_wallet_day: 20, per_address_hour: 100, per_merchant_day: 1_000 },
    lamports_day: 1_000_000_000n,
  });
  expect(() => treasurySettings.read({ SPONSOR_PER_IP_HOUR: '-1' }, place(''))).toThrow(
    /^SPONSOR_PER_IP_HOUR is "-1"/,
  );
});

test('outgoing transfers are paid by keys and within a budget of their own', () => {
  const read = (env: object) => treasurySettings.read(env as Record<string, string>, place(list));
  const keys = { test: null, live: null };
  expect(read(FILE).payouts).toEqual({ keys, lamports_day: 5_000_000_000n });
  const env = { PAYOUT_FEE_KEY_FILE_LIVE: '/keys/live', PAYOUT_FEE_LAMPORTS_DAY: '7' };
  const { payouts, sponsors } = read(env);
  const address = keypair.publicKey.toBase58();
  expect(payouts).toMatchObject({ keys: { live: { address } }, lamports_day: 7n });
  expect(sponsors).toEqual({ test: null, live: null });
});
