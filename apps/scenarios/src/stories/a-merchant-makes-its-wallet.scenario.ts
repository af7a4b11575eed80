/**
 * @landing embedded
 * @runs embedded
 * @program own
 * @needs chromium
 */
import { Keypair } from '@solana/web3.js';
import { openKit, signedTogether } from '@tender/threshold/browser';
import { hasSigned } from '@tender/transactions';
import { eventually } from '../harness/eventually';
import { newMerchant } from '../harness/merchants';
import { operatingWalletOf } from '../harness/operating-wallets';
import { leaveWithKit, newLink, signUpForOwnWallet, walletOf, type SignedUp } from '../harness/own-wallets';
import { Program } from '../harness/program';
import { Owners, type Owner, type SavedKit } from './browser/owners';

const PASSPHRASE = 'five slow owls under Leeds';
const NEW_PASSPHRASE = 'six quick owls over York';
const MINUTE_MS = 60_000;

let program: Program;
const owners = new Owners();

beforeAll(async () => {
  [program] = await Promise.all([Program.start(), owners.open()]);
  // In one process signers start when they are first asked, which takes longer than a page waits for them.
  await operatingWalletOf(await newMerchant(program));
});
afterAll(async () => {
  await Promise.all([owners.close(), program.discard()]);
  expect(owners.faults).toEqual([]);
});

const signUp = (extra: object = {}) => signUpForOwnWallet(program, extra);

describe('a merchant who signs up for a wallet of its own', () => {
  let merchant: SignedUp;
  let kit: SavedKit;
  let address: string;
  let phone: Owner;
  let renewed: SavedKit;

  beforeAll(async () => {
    merchant = await signUp();
  });

  test('is not paid before it is there', async () => {
    expect((await merchant.api.post('/api/v1/payments', { amount: 5 })).json.code).toBe('wallet_not_ready');
    expect((await walletOf(merchant)).wallet_address).toBeNull();
  });

  test('makes it: a passphrase, a passkey, keys, a kit; and what is secret leaves the browser in no request', async () => {
    const owner = (phone = await owners.arrives());
    const before = owners.sent.length;
    ({ kit, address } = await owner.makesWallet(merchant.link, PASSPHRASE));
    expect(kit.name).toBe(`recovery-kit-${address.slice(0, 8)}.json`);
    expect(await walletOf(merchant)).toMatchObject({ wallet_address: address, custody_model: 'self' });
    // The token of the link is gone from the address bar.
    expect(owner.page.url()).not.toContain('svc_setup');
    const [answer] = await owner.answered();
    const secrets = [PASSPHRASE, ...(['hex', 'base64', 'base64url'] as const).map((form) => answer?.toString(form) ?? '')];
    const { shares } = await openKit(kit.text, PASSPHRASE);
    for (const { secret } of Object.values(shares)) {
      secrets.push(Buffer.from(secret).toString('base64'), Buffer.from(secret).toString('hex'));
    }
    const sent = owners.sent.slice(before);
    expect(answer).toHaveLength(32);
    expect(sent.some(({ path }) => path.endsWith('/passkey-wallet/confirm'))).toBe(true);
    for (const secret of secrets) {
      expect(secret.length).toBeGreaterThan(20);
      expect(sent.filter(({ text }) => text.includes(secret)).map(({ path }) => path)).toEqual([]);
    }
    // The token goes to the API alone, in a header.
    const token = new URL(merchant.link).hash.slice(1);
    const told = sent.filter(({ text }) => text.includes(token)).map(({ path }) => path);
    expect(told.every((path) => path.startsWith('/api/v1/'))).toBe(true);
    expect([...owners.origins].sort()).toEqual([new URL(merchant.link).origin, program.url].sort());
  });

  test('is paid into it', async () => {
    const { json } = await merchant.api.post('/api/v1/payments', { amount: 5 });
    await merchant.api.post('/api/v1/test_helpers/pay', { payment_id: json.id });
    const { wallet_address } = await eventually(
      () => walletOf(merchant),
      ({ usdc_balance }) => usdc_balance > 0,
    );
    expect(wallet_address).toBe(address);
  });

  test('has in the kit what moves the money without Tender', async () => {
    const { shares, wallet } = await openKit(kit.text, PASSPHRASE);
    const message = Buffer.from('leaves');
    expect(wallet).toBe(address);
    expect(hasSigned(address, message, signedTogether([shares.C, shares.R], message))).toBe(true);
  });

  test('finds its link used, and its wallet where it was', async () => {
    const owner = await owners.arrives();
    await (await owner.opens(merchant.link)).at('used');
    await owner.context.close();
    expect((await walletOf(merchant)).wallet_address).toBe(address);
  });

  test('has lost the passphrase: its passkey and the kit make a new kit', async () => {
    await (await phone.opens(await newLink(program, merchant))).at('ways');
    await phone.press('Make a new kit');
    await phone.at('new kit');
    const begun = owners.sent.length;
    await phone.showsKit(kit, 'Your recovery kit');
    await phone.secures(NEW_PASSPHRASE, 'Use my passkey');
    renewed = await phone.savesKit();
    // The old file is another one, also where its name is the same.
    await phone.showsKit(kit);
    await phone.press('Check the file and finish');
    await phone.says('This is not the file that this page has just made.');
    await phone.showsKit(renewed);
    await phone.press('Check the file and finish');
    await phone.at('kit done');
    const { shares } = await openKit(renewed.text, NEW_PASSPHRASE);
    const secrets = [NEW_PASSPHRASE, ...Object.values(shares).map(({ secret }) => Buffer.from(secret).toString('base64'))];
    const sent = owners.sent.slice(begun);
    expect(sent.some(({ path }) => path.includes('/passkey-wallet/shares/'))).toBe(true);
    for (const secret of secrets) {
      expect(sent.filter(({ text }) => text.includes(secret))).toEqual([]);
    }
    expect(JSON.parse(renewed.text)).toMatchObject({
      wallet: address,
      tender_identity_key: JSON.parse(kit.text).tender_identity_key,
    });
    await phone.context.close();
  });

  test('leaves with the new kit alone, by the exit tool', async () => {
    const to = Keypair.generate().publicKey.toBase58();
    const leaving = { kit: renewed.text, passphrase: NEW_PASSPHRASE, to, folder: program.data_dir };
    const { code, output, errors } = await leaveWithKit(merchant, address, leaving);
    expect([code, errors]).toEqual([0, '']);
    expect(output).toContain(to);
    expect((await walletOf(merchant)).usdc_balance).toBe(0);
  });

  test('lost its passkey: the kit opens the share for another one, which opens it for a third', async () => {
    const owner = await owners.arrives();
    await (await owner.opens(await newLink(program, merchant))).at('ways');
    await owner.press('With the recovery kit');
    await owner.at('open kit');
    const choose = (text: string) =>
      owner.page.getByLabel('Recovery kit').setInputFiles({ name: kit.name, mimeType: 'application/json', buffer: Buffer.from(text) });
    await owner.press('Open');
    await owner.says('Choose the file.');
    await choose(kit.text.replace('"version": 1', '"version": 9'));
    await owner.page.getByLabel('Passphrase').fill(PASSPHRASE);
    await owner.press('Open');
    await owner.says('This file is no recovery kit, or it is damaged.');
    await choose(kit.text);
    await owner.page.getByLabel('Passphrase').fill('five slow owls under York');
    await owner.press('Open');
    await owner.says('The passphrase does not open this recovery kit.');
    await owner.page.getByLabel('Passphrase').fill(PASSPHRASE);
    await owner.press('Open');
    await owner.at('new passkey');
    // It is registered, and the page is gone before its share is kept.
    await owner.page.route('**/passkey-wallet/shares', (route) => route.abort());
    await owner.press('Make a passkey');
    await owner.says('We could not be reached.');
    await owner.page.unroute('**/passkey-wallet/shares');
    await owner.page.reload();
    await owner.at('ways');
    await owner.press('With the recovery kit');
    await choose(kit.text);
    await owner.page.getByLabel('Passphrase').fill(PASSPHRASE);
    await owner.press('Open');
    await owner.at('new passkey');
    await owner.press('Make a passkey');
    await owner.says('This device has a passkey for this wallet already.');
    await owner.press('Use a passkey that I have made before');
    await owner.at('passkey done');
    expect(await owner.passkeys()).toBe(1);

    // The device has that passkey: it opens the share, and no second one is made there.
    await (await owner.opens(await newLink(program, merchant))).at('ways');
    await owner.press('With a passkey that I have');
    await owner.at('new passkey');
    await owner.press('Make a passkey');
    await owner.says('This device has a passkey for this wallet already.');
    await owner.context.close();
  });
});

test('a device that does not recognise its person makes no passkey, and nothing is lost', async () => {
  const merchant = await signUp();
  const owner = await owners.arrives();
  await owner.recognises(false);
  await (await owner.opens(merchant.link)).at('welcome');
  await owner.press('Begin');
  await owner.secures(PASSPHRASE);
  await owner.says('There was no passkey');
  expect(await owner.passkeys()).toBe(0);
  expect((await walletOf(merchant)).wallet_address).toBeNull();
  // Another device, the same link.
  await owner.context.close();
  const other = await owners.arrives();
  const { address } = await other.makesWallet(merchant.link, PASSPHRASE);
  expect(address).toBe((await walletOf(merchant)).wallet_address);
  await other.context.close();
});

test('without PRF the kit alone holds the share, once the merchant has agreed to that', async () => {
  const merchant = await signUp();
  const owner = await owners.arrives({ has_prf: false });
  await (await owner.opens(merchant.link)).at('welcome');
  await owner.press('Begin');
  await owner.secures(PASSPHRASE);
  await owner.at('kit alone');
  await owner.press('Go on with the kit alone');
  const kit = await owner.savesKit();
  const { text } = kit;
  await owner.says('your passkey keeps no part of the key');
  await owner.showsKit(kit);
  await owner.press('Check the file and finish');
  await owner.at('done');
  const { wallet } = await openKit(text, PASSPHRASE);
  expect((await walletOf(merchant)).wallet_address).toBe(wallet);
  // The passkey that it made keeps no share.
  await (await owner.opens(await newLink(program, merchant))).at('ways');
  await owner.press('With a passkey that I have');
  await owner.says('This passkey cannot open your part of the key');
  await owner.context.close();
});

test('a network that goes away costs a press, and a page that is loaded anew goes on with the passkey', async () => {
  const merchant = await signUp();
  const owner = await owners.arrives();
  await (await owner.opens(merchant.link)).at('welcome');
  await owner.press('Begin');
  await owner.page.route('**/passkey-wallet/round-3', (route) => route.abort());
  await owner.secures(PASSPHRASE);
  await owner.says('We could not be reached.');
  expect((await walletOf(merchant)).wallet_address).toBeNull();
  await owner.page.unroute('**/passkey-wallet/round-3');
  await owner.page.reload();
  await owner.at('welcome');
  await owner.press('Begin');
  await owner.secures(PASSPHRASE, 'Use my passkey');
  await owner.showsKit(await owner.savesKit());
  // The answer is lost on its way: saying it again comes to the same wallet.
  await owner.page.route('**/passkey-wallet/confirm', async (route) => {
    await route.fetch();
    await route.abort();
  }, { times: 1 });
  await owner.press('Check the file and finish');
  await owner.says('We could not be reached.');
  await owner.press('Check the file and finish');
  await owner.at('done');
  const { wallet_address } = await walletOf(merchant);
  expect(await owner.page.locator('.wallet').textContent()).toBe(wallet_address);
  expect(await owner.passkeys()).toBe(1);
  await owner.context.close();
});

test('a merchant with a wallet that it brought makes a passkey, and the link is used', async () => {
  const wallet_address = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin';
  const merchant = await signUp({ wallet_generation_method: 'external', wallet_address });
  const link = await newLink(program, merchant);
  const owner = await owners.arrives({}, { locale: 'fr-FR' });
  await (await owner.opens(link)).at('welcome');
  await owner.press('Créer une clé d’accès');
  await owner.at('passkey done');
  await (await owner.opens(link)).at('used');
  await owner.context.close();
});

test('a link that is none, and one that was opened too late, say so', async () => {
  const merchant = await signUp();
  const owner = await owners.arrives();
  const page = new URL(merchant.link);
  await (await owner.opens(`${page.origin}/passkey-setup`)).at('no link');
  await (await owner.opens(`${page.origin}/passkey-setup#svc_setup_nothing`)).at('unknown');
  await merchant.api.post('/api/v1/test_helpers/clock/advance', { seconds: (31 * MINUTE_MS) / 1000 });
  await (await owner.opens(merchant.link)).at('expired');
  await owner.context.close();
});

test('a link that expires before the kit is confirmed says that this kit is of no wallet', async () => {
  const merchant = await signUp();
  const owner = await owners.arrives();
  await (await owner.opens(merchant.link)).at('welcome');
  await owner.press('Begin');
  await owner.secures(PASSPHRASE);
  await owner.showsKit(await owner.savesKit());
  await merchant.api.post('/api/v1/test_helpers/clock/advance', { seconds: (31 * MINUTE_MS) / 1000 });
  await owner.press('Check the file and finish');
  await owner.at('expired');
  await owner.says('belongs to no wallet');
  expect((await walletOf(merchant)).wallet_address).toBeNull();
  await owner.context.close();
});

test('keys that another window makes anew take the place of these, and their kit is of no wallet', async () => {
  const merchant = await signUp();
  const owner = await owners.arrives();
  await (await owner.opens(merchant.link)).at('welcome');
  await owner.press('Begin');
  await owner.secures(PASSPHRASE);
  const kit = await owner.savesKit();
  const other = await owners.arrives();
  await (await other.opens(merchant.link)).at('welcome');
  await other.press('Begin');
  await other.secures(PASSPHRASE, 'Make another passkey');
  const newer = await other.savesKit();
  await owner.showsKit(kit);
  await owner.press('Check the file and finish');
  await owner.at('passphrase');
  await owner.says('These keys do not count any more');
  await owner.says('belongs to no wallet');
  await other.showsKit(newer);
  await other.press('Check the file and finish');
  await other.at('done');
  await Promise.all([owner.context.close(), other.context.close()]);
});

test('by keyboard alone, each step read out', async () => {
  const merchant = await signUp();
  const owner = await owners.arrives();
  const { page } = owner;
  const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '');
  const tabTo = async (name: string) => {
    for (let presses = 0; presses < 20 && (await focused()).trim() !== name; presses += 1) {
      await page.keyboard.press('Tab');
    }
    expect((await focused()).trim()).toBe(name);
  };
  await (await owner.opens(merchant.link)).at('welcome');
  await tabTo('Begin');
  await page.keyboard.press('Enter');
  await owner.at('passphrase');
  await eventually(focused, (text) => text === 'Passphrase and passkey');
  await page.keyboard.press('Tab');
  await page.keyboard.type('short');
  await page.keyboard.press('Enter');
  await owner.says('This is shorter than 12 characters.');
  await page.keyboard.press('Control+A');
  await page.keyboard.type(PASSPHRASE);
  await page.keyboard.press('Tab');
  await page.keyboard.type(PASSPHRASE);
  await page.keyboard.press('Enter');
  await owner.at('save');
  await eventually(focused, (text) => text === 'Save your recovery kit');
  await tabTo('Save the file');
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
  const saved = await download.path();
  // Before the file is shown, the press leads to where it is chosen.
  await tabTo('Check the file and finish');
  await page.keyboard.press('Enter');
  await owner.says('Choose the file.');
  const isAtFile = () => page.evaluate(() => document.activeElement?.getAttribute('name') === 'kit');
  await eventually(isAtFile, (is_there) => is_there);
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.keyboard.press('Space')]);
  await chooser.setFiles(saved);
  await tabTo('Check the file and finish');
  await page.keyboard.press('Enter');
  await owner.at('done');
  await eventually(focused, (text) => text === 'Your wallet is ready');
  await owner.context.close();
});
