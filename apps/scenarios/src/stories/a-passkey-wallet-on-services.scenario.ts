/**
 * @landing postgres
 * @runs postgres eventstore
 * @program own
 */
// A merchant makes its own wallet while processes die on the way. That nothing of Tender's could have moved the money
// is not shown here: `npm run attack` asks signer A, who has the one share that is not the merchant's.
import { randomBytes } from 'node:crypto';
import { MerchantBrowser, SoftwareAuthenticator } from '@tender/accounts-features/testing';
import { SERVICES } from '@tender/contracts';
import { callRpc } from '@tender/localnet';
import { openKit, recoveryKit, unwrapShare, wrapShare } from '@tender/threshold/browser';
import { Keypair } from '@solana/web3.js';
import type { Client } from '../harness/client';
import { eventually } from '../harness/eventually';
import { leaveWithKit, newLink, signUpForOwnWallet, walletOf, type SignedUp } from '../harness/own-wallets';
import { Program } from '../harness/program';
import { Receiver } from '../harness/receiver';
import { storedEvents } from '../harness/stored-events';
import { cutRotationIsMadeAgain } from './kill-points/cut-rotation';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- answers are what is under test
type Json = any;

const PASSPHRASE = 'five slow owls under Leeds';

const program = new Program();
/** What its passkey gives to the set-up page. */
const prf = randomBytes(32);
let receiver: Receiver;
let merchant: SignedUp;
/** What the set-up page asks with. */
let page: Client;
let passkey_id: string;
let kit: string;
let address: string;

beforeAll(async () => {
  receiver = await Receiver.start();
  await program.start({});
  merchant = await signUpForOwnWallet(program);
  page = program.client(new URL(merchant.link).hash.slice(1));
  await merchant.api.put('/api/v1/merchants/me/webhook', { webhook_url: receiver.url });
});
afterAll(async () => {
  await receiver?.close();
  await program.discard();
});

/** The set-up page in a browser that was opened anew. `once` is answered as it comes; else a repeat is sent. */
const browser = (asked: Client = page) =>
  new MerchantBrowser(merchant.id, (path, body) => asked.post(path, body));

/** Takes a step in which no service dies. A page that is told to come again may repeat it: it takes effect once. */
async function taken(step: () => Promise<{ readonly status: number }>): Promise<void> {
  const { status } = await eventually(step, (answer) => answer.status !== 503);
  expect(status).toBe(200);
}

/** What the merchant's stream says of wallets, oldest first. */
async function recorded(): Promise<readonly string[]> {
  const events = await storedEvents(program, 'merchant.all');
  const own = events.filter(({ stream }) => stream.endsWith(merchant.id));
  return own.map(({ type }) => type).filter((type) => type.includes('Wallet'));
}

async function hasNoWallet(): Promise<void> {
  expect((await walletOf(merchant)).wallet_address).toBeNull();
  const refused = await merchant.api.post('/api/v1/payments', { amount: 5 });
  expect([refused.status, refused.json.code]).toEqual([409, 'wallet_not_ready']);
  expect(await recorded()).not.toContain('WalletCreated');
}

test('the merchant is not paid before its wallet is there', hasNoWallet);

test('it registers a passkey by the link, of which treasury dies; K7, K8', async () => {
  const asked = { merchant_id: merchant.id, email: merchant.email, display_name: 'Corner Shop' };
  const { json } = await page.post('/api/v1/webauthn/register/start', asked);
  const device = new SoftwareAuthenticator(new URL(merchant.link).origin);
  const credential = device.create(json.options);
  const body = { challenge_id: json.challenge_id, credential };
  await program.strike(['treasury'], 'checkpoint.before@consumer');
  const made = await page.post('/api/v1/webauthn/register/finish', body);
  expect([made.status, made.json.kind]).toEqual([201, 'signing']);
  passkey_id = made.json.id;
  await program.rises();
  await hasNoWallet();
});

test('treasury dies while it carries what the browser says to signer A: there is no wallet, and another begin works', async () => {
  const cut = browser(page.once());
  await taken(() => cut.begin());
  const pid = program.pidOf('treasury');
  // It has the request, or will have it, and does nothing with it any more.
  process.kill(pid, 'SIGSTOP');
  const asking = cut.round2().catch(() => null);
  process.kill(pid, 'SIGKILL');
  await eventually(async () => program.pidOf('treasury'), (now) => now !== pid);
  await asking;
  await hasNoWallet();
  expect((await browser().begin()).status).toBe(200);
  expect((await cut.finish()).json.code).toBe('ceremony_unknown');
});

test('the gateway dies when all have agreed, and its answer is lost: there is no wallet, and another begin works', async () => {
  const cut = browser(page.once());
  for (const step of ['begin', 'round2', 'round3'] as const) await taken(() => cut[step]());
  await program.strike(['gateway'], 'append.after@merchant');
  expect((await cut.finish().catch(() => null))?.status).not.toBe(200);
  await program.rises();
  await hasNoWallet();
  expect((await browser().begin()).status).toBe(200);
  expect((await cut.confirm(passkey_id)).json.code).toBe('ceremony_unknown');
});

test('the gateway dies before the confirmation is recorded: there is a wallet once the browser confirms again, and it stays the same', async () => {
  const owner = browser();
  await owner.agree();
  await hasNoWallet();
  const { C, R } = owner.result.shares;
  const made_at = new Date().toISOString();
  const held = { share_c: C, share_r: R, passphrase: PASSPHRASE };
  const { identity_key: tender_identity_key } = owner.result.roster.parties.find(({ role }) => role === 'A')!;
  kit = await recoveryKit({ ...held, network: 'mainnet-beta', tender_identity_key, made_at });
  const sealed_share_c = await wrapShare(C, prf);

  await program.strike(['gateway'], 'append.before@merchant');
  const confirming = owner.confirm(passkey_id, { sealed_share_c });
  await program.rises();
  const confirmed = await confirming;
  expect(confirmed.status).toBe(201);
  address = confirmed.json.wallet_address;
  expect(address).toBe(owner.result.roster.wallet);
  const again = await owner.confirm(passkey_id, { sealed_share_c });
  expect(again.json).toEqual({ wallet_address: address });
  expect((await recorded()).filter((type) => type === 'WalletCreated')).toHaveLength(1);
  expect(await walletOf(merchant)).toMatchObject({ wallet_address: address, custody_model: 'self' });
  // The link has done what it was for.
  expect((await browser().begin()).json.code).toBe('passkey_setup_used');
});

test('it is paid into the wallet, and hears of it', async () => {
  const order = await merchant.api.post('/api/v1/payments', { amount: 5 });
  expect(order.status).toBe(200);
  const { id } = order.json;
  await merchant.api.post('/api/v1/test_helpers/pay', { payment_id: id });
  const settled = () => receiver.events('SettlementCompleted').filter(({ json }) => json.payment?.id === id);
  await receiver.until(() => settled().length > 0);
  await eventually(() => walletOf(merchant), ({ usdc_balance }) => usdc_balance > 0);
});

test('its passkey opens the share that Tender keeps for it, which is the one in the kit', async () => {
  const opened = program.client(new URL(await newLink(program, merchant)).hash.slice(1));
  const { json } = await opened.get(`/api/v1/passkey-wallet/shares/${passkey_id}`);
  const { wallet, epoch } = json.wallet_roster.roster;
  const share = await unwrapShare(json.sealed_share_c as string, prf, { wallet, epoch });
  const { shares } = await openKit(kit, PASSPHRASE);
  expect([wallet, share.secret]).toEqual([address, shares.C.secret]);
});

test('K16: a rotation whose answer was lost is made again by a person who has signed in', () =>
  cutRotationIsMadeAgain(program));

test('it leaves with the kit alone, by the exit tool, while every process of Tender is stopped', async () => {
  const { usdc_balance } = await walletOf(merchant);
  const to = Keypair.generate().publicKey.toBase58();
  const stop = () => {
    const { stopped, goOn } = program.stopServices();
    expect(stopped).toEqual(expect.arrayContaining([...SERVICES, 'signer-a', 'signer-b', 'approval']));
    return goOn;
  };
  const leaving = { kit, passphrase: PASSPHRASE, to, folder: program.data_dir, stop };
  const { code, errors } = await leaveWithKit(merchant, address, leaving);
  expect([code, errors]).toEqual([0, '']);
  const { json } = await merchant.api.get('/api/v1/test_helpers/environment');
  const { rpc_url, mints } = json.networks.test;
  const { value } = await callRpc<Json>(
    rpc_url, 'getTokenAccountsByOwner', to, { mint: mints.USDC }, { encoding: 'jsonParsed' },
  );
  expect(value[0].account.data.parsed.info.tokenAmount.uiAmount).toBe(usdc_balance);
  expect((await walletOf(merchant)).usdc_balance).toBe(0);
});
