/** @needs chromium */
import type { AddressInfo } from 'node:net';
import { openChromium } from '@tender/page/testing';
import { judgeProof } from '@tender/signer-domain';
import { SoftPasskey } from '@tender/signer-domain/testing';
import {
  approvalUrl,
  challengeFor,
  challengeText,
  type ProvenOperation,
} from '@tender/threshold/approval';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { approvalServer } from './approval-server';

/** Played by the browser’s own network: the API, and a page of others. */
const [API, OTHERS] = ['http://pay.test', 'http://evil.test'];
const of_wallet = {
  ...({ merchant_id: '8f4b2c1e-6a0d-8c3f-9b7e-2d5a4c6e8f00', mode: 'live' } as const),
  wallet: '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin',
} as const;
const UNFREEZE: ProvenOperation = { type: 'unfreeze_operating_wallet', ...of_wallet };
const LIMIT: ProvenOperation = { type: 'set_operating_wallet_limits', ...of_wallet, per_day_cents: 2_500_050 };
const LIFETIME_MS = 120_000;
const NONCE = '0123456789abcdef0123456789abcdef';

const server = approvalServer({ api_url: () => `${API}/` });
const passkey = new SoftPasskey();
const faults: string[] = [];
/** To which origins pages have spoken. */
const asked = new Set<string>();
let origin: string;
let browser: Browser;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  await server.listen({ host: '127.0.0.1', port: 0 });
  origin = `http://localhost:${(server.server.address() as AddressInfo).port}`;
  browser = await openChromium();
});
afterAll(async () => {
  await browser.close();
  await server.close();
  expect(faults).toEqual([]);
});
beforeEach(async () => {
  context = await browser.newContext({ locale: 'en-GB' });
  context.on('weberror', (error) => faults.push(String(error.error())));
  context.on('request', (request) => asked.add(new URL(request.url()).origin));
  for (const site of [API, OTHERS]) {
    await context.route(`${site}/**`, (route) => route.fulfill({ contentType: 'text/html', body: '<p>A page' }));
  }
  page = await context.newPage();
});
afterEach(() => context.close());

const challengeOf = (operation: ProvenOperation, expires_ms = Date.now() + LIFETIME_MS): string =>
  challengeText(challengeFor(operation, { nonce: NONCE, expires_ms }));
const linkTo = (operation: ProvenOperation, challenge = challengeOf(operation)): string =>
  approvalUrl(origin, { operation, challenge });

/** Gives a window a device that has the passkey. */
async function device(window: Page, isUserVerified = true) {
  const devtools = await context.newCDPSession(window);
  await devtools.send('WebAuthn.enable');
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true },
      ...{ hasUserVerification: true, isUserVerified, automaticPresenceSimulation: true },
    },
  });
  const credential = {
    credentialId: Buffer.from(passkey.credential_id, 'base64url').toString('base64'),
    ...{ isResidentCredential: true, rpId: 'localhost', signCount: 0 },
    privateKey: passkey.private_key.toString('base64'),
    userHandle: Buffer.from('merchant').toString('base64'),
  };
  await devtools.send('WebAuthn.addCredential', { authenticatorId, credential });
  return {
    recognises: (is_person: boolean) =>
      devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: is_person }),
    /** How often it has signed. */
    async signed(): Promise<number> {
      const { credentials } = await devtools.send('WebAuthn.getCredentials', { authenticatorId });
      return credentials[0]!.signCount;
    },
  };
}

const at = (state: string, window = page) => window.locator(`main[data-state="${state}"]`).waitFor();
const press = (name: string, window = page) => window.getByRole('button', { name, exact: true }).click();
const says = (text: string, window = page) => window.getByText(text).first().waitFor();
const shownProof = async (window = page) => JSON.parse((await window.locator('.code').textContent())!);

/** What a signer makes of it. */
const judged = (operation: ProvenOperation, proof: never) =>
  judgeProof({
    ...{ operation, proof, passkey: { public_key: passkey.public_key, counter: 0 } },
    ...{ approval: { origin, rp_id: 'localhost' }, now_ms: Date.now() },
  });

test('S35: what is shown is what is signed, as signers take it, and only the page’s own origin hears of it', async () => {
  const { signed } = await device(page);
  asked.clear();
  await page.goto(linkTo(LIMIT));
  await at('asked');
  const text = (await page.locator('main').innerText()).replaceAll('\u00a0', ' ');
  for (const shown of ['USD 25,000.50', 'Live, with real money', of_wallet.wallet, of_wallet.merchant_id]) {
    expect(text).toContain(shown);
  }
  expect(await signed()).toBe(0);
  await press('Approve with passkey');
  await at('approved');
  const proof = await shownProof();
  expect(judged(LIMIT, proof as never)).toMatchObject({ ok: true, nonce: NONCE });
  const more = { ...LIMIT, per_day_cents: 2_500_051 } as ProvenOperation;
  expect(judged(more, proof as never)).toMatchObject({ code: 'passkey_operation_mismatch' });
  expect([...asked]).toEqual([origin]);
});

test.each<[string, ProvenOperation]>([
  ['more money', { ...LIMIT, per_day_cents: 100 } as ProvenOperation],
  ['test money', { ...LIMIT, mode: 'test' } as ProvenOperation],
  ['something else', UNFREEZE],
])('S35: a link that shows less than is signed is no request: %s', async (_, shown) => {
  const { signed } = await device(page);
  await page.goto(linkTo(shown, challengeOf(LIMIT)));
  await at('altered');
  expect(await page.getByRole('button').count()).toBe(0);
  expect(await signed()).toBe(0);
});

test('a link without a request, and one that was cut, say so; another one in the same tab is opened', async () => {
  await page.goto(`${origin}/approve`);
  await at('no request');
  const whole = linkTo(UNFREEZE);
  await page.goto(whole.slice(0, -5));
  await at('no request');
  await page.goto(whole);
  await at('asked');
});

test('the page says at once that a request has expired', async () => {
  await page.goto(linkTo(UNFREEZE, challengeOf(UNFREEZE, Date.now() - 1)));
  await at('expired');
  expect(await page.getByRole('button').count()).toBe(0);
});

test('one that expires while it is read can be approved no more', async () => {
  await page.clock.install({ time: Date.now() });
  await page.goto(linkTo(UNFREEZE));
  await at('asked');
  await page.clock.fastForward(LIFETIME_MS);
  await at('expired');
});

test('nor one whose timer slept with the device', async () => {
  const { signed } = await device(page);
  await page.goto(linkTo(UNFREEZE));
  await at('asked');
  await page.evaluate((ahead) => {
    const now = Date.now;
    Date.now = () => now() + ahead;
  }, LIFETIME_MS);
  await press('Approve with passkey');
  await at('expired');
  expect(await signed()).toBe(0);
});

test('a device that does not recognise its person approves nothing; the next try may', async () => {
  const { recognises, signed } = await device(page, false);
  await page.goto(linkTo(UNFREEZE));
  await press('Approve with passkey');
  await says('Nothing was approved');
  await at('asked');
  expect(await signed()).toBe(0);
  await recognises(true);
  await page.reload();
  await press('Approve with passkey');
  await at('approved');
});

test('a browser without passkeys says so', async () => {
  await page.addInitScript(() => Object.assign(globalThis, { PublicKeyCredential: undefined }));
  await page.goto(linkTo(UNFREEZE));
  await at('no passkeys');
});

/** A page of a site that opens the approval page, and keeps what that sends it. */
async function openedBy(site: string, challenge: string): Promise<Page> {
  await page.goto(`${site}/`);
  const [popup] = await Promise.all([
    page.waitForEvent('popup'),
    page.evaluate((url) => {
      const told: unknown[] = [];
      Object.assign(globalThis, { told });
      addEventListener('message', ({ data, origin: from }) => told.push({ data, from }));
      Object.assign(globalThis, { opened: window.open(url) });
    }, linkTo(UNFREEZE, challenge)),
  ]);
  await device(popup);
  await press('Approve with passkey', popup);
  await at('approved', popup);
  // Messages of one window to another arrive in their order.
  await popup.evaluate(() => (window.opener as Window).postMessage('last', '*'));
  await page.waitForFunction(() => JSON.stringify((globalThis as never as { told: [] }).told).includes('last'));
  return popup;
}
interface Told {
  readonly told: readonly { readonly data: unknown; readonly from: string }[];
}
const told = () => page.evaluate(() => (globalThis as never as Told).told);

test('a page of the API that has opened it gets the proof, and what it answers is shown', async () => {
  const challenge = challengeOf(UNFREEZE);
  const popup = await openedBy(API, challenge);
  const passkey_signature = await shownProof(popup);
  const data = { type: 'tender.passkey-signature', challenge, passkey_signature };
  expect(await told()).toEqual([{ data, from: origin }, { data: 'last', from: origin }]);
  expect(judged(UNFREEZE, passkey_signature as never).ok).toBe(true);

  // From itself, and of another request: not the answer.
  const said = { type: 'tender.passkey-signature-taken', challenge };
  await popup.evaluate(async (message) => {
    const heard = new Promise((resolve) => addEventListener('message', resolve, { once: true }));
    postMessage(message, '*');
    await heard;
  }, said);
  const answer = (message: object | string) =>
    page.evaluate((what) => (globalThis as never as { opened: Window }).opened.postMessage(what, '*'), message);
  await popup.evaluate(() => {
    const seen = () => setTimeout(() => Object.assign(globalThis, { is_drawn: true }));
    addEventListener('message', ({ data }) => data === 'and now' && seen());
  });
  await answer({ ...said, challenge: challengeOf(LIMIT) });
  await answer('and now');
  await popup.waitForFunction(() => 'is_drawn' in globalThis);
  expect(await popup.getByText('goes on with it').count()).toBe(0);
  await answer(said);
  await says('goes on with it', popup);
});

test('S35: a page of others that has opened it gets nothing', async () => {
  await openedBy(OTHERS, challengeOf(UNFREEZE));
  expect(await told()).toEqual([{ data: 'last', from: origin }]);
});

test('by keyboard alone, in French; the proof is copied', async () => {
  await device(page);
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin });
  await page.goto(linkTo(UNFREEZE));
  await at('asked');
  await page.getByRole('link', { name: 'Français' }).click();
  await says('Débloquer votre portefeuille opérationnel ?');
  const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim() ?? '');
  const tabTo = async (name: string) => {
    for (let presses = 0; presses < 10 && (await focused()) !== name; presses += 1) await page.keyboard.press('Tab');
    expect(await focused()).toBe(name);
  };
  await tabTo('Approuver avec la clé d’accès');
  await page.keyboard.press('Enter');
  await at('approved');
  await page.waitForFunction(() => document.activeElement?.textContent === 'Approuvé');
  await tabTo('Copier');
  await page.keyboard.press('Enter');
  await says('Copié.');
  const copy = await page.evaluate(() => navigator.clipboard.readText());
  expect(JSON.parse(copy)).toEqual(await shownProof());
});
