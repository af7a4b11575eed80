/** @needs chromium */
import type { PlanToShow } from '@tender/contracts';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { loadAssets } from '../built-assets';
import { renderPlanPage, renderPlanView } from '../plan/render-plan-page';
import { policyOf, renderTrouble } from '../render-page';
import { openChromium } from '@tender/page/testing';
import { atPlan, atSubscription, PLAN } from '../testing/plan-views';

const assets = loadAssets();
const PATH = `/s/${PLAN.plan_id}`;
const WALLET = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin';
const DUE = atSubscription({ is_due: true, cycles_completed: 0 });
const SUBSCRIPTION = `${PATH}/${DUE.page.shown.subscription?.subscription_id}`;

interface Sent {
  readonly path: string;
  readonly fields: URLSearchParams;
}
type Answer = (response: ServerResponse) => unknown;

const redirect = (location: string): Answer => (response) =>
  response.writeHead(303, { location }).end();
const page = (html: string, status = 200): Answer => (response) =>
  response
    .writeHead(status, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policyOf(assets) })
    .end(html);

/** The pages as the program serves them; `answer` is what becomes of the form of the plan. */
class Checkout {
  readonly sent: Sent[] = [];
  subscription: PlanToShow | null = DUE.page.shown;
  answer: Answer = redirect(SUBSCRIPTION);
  readonly server = createServer((request, response) => void this.serve(request, response));

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '', this.origin);
    const language = searchParams.get('lang') === 'fr' ? 'fr' : 'en';
    const pageOf = (shown: PlanToShow) =>
      page(renderPlanPage({ shown, language, now: 0 }, assets, attempted()))(response);
    if (request.method === 'POST') {
      this.sent.push({ path: pathname, fields: new URLSearchParams(await text(request)) });
      return void (await (pathname === PATH ? this.answer : redirect('/p/pay_test_1'))(response));
    }
    if (pathname === PATH) return void pageOf(PLAN);
    if (pathname === SUBSCRIPTION && this.subscription) return void pageOf(this.subscription);
    if (pathname.startsWith('/p/')) return void page('<title>payment</title>')(response);
    const script = assets.scripts.get(pathname.split('/').at(-1) ?? '');
    if (script) return void response.writeHead(200, { 'content-type': 'text/javascript' }).end(script.plain);
    page('<main data-state="not found"></main>', 404)(response);
  }
}

let browser: Browser;
let checkout: Checkout;
beforeAll(async () => void (browser = await openChromium()));
afterAll(() => browser.close());
beforeEach(async () => {
  checkout = new Checkout();
  await once(checkout.server.listen(0, '127.0.0.1'), 'listening');
});
afterEach(() => {
  checkout.server.closeAllConnections();
  checkout.server.close();
});

let attempts = 0;
const attempted = () => ({ attempt: String((attempts += 1)).padStart(32, '0') });

async function opened(
  context: BrowserContext,
  prepare: (tab: Page) => Promise<unknown> = async () => null,
): Promise<Page> {
  const tab = await context.newPage();
  await prepare(tab);
  await tab.goto(checkout.origin + PATH);
  return tab;
}
const arrives = async (prepare?: (tab: Page) => Promise<unknown>): Promise<Page> =>
  opened(await browser.newContext(), prepare);
const press = (tab: Page) => tab.getByRole('button', { name: /^(Subscribe|Try again)$/ }).click();
const fill = (tab: Page) => tab.getByLabel('Wallet address').fill(WALLET);
const says = (tab: Page, state: string) => tab.locator(`main[data-state="${state}"]`).waitFor();

/** A wallet of the Wallet Standard; one that `declines` shows no account. */
const withWallet = (declines: boolean) => (tab: Page) =>
  tab.addInitScript(([address, no]) => {
    const account = { address, chains: ['solana:devnet'], features: ['solana:signTransaction'], publicKey: new Uint8Array(32) };
    const connect = async () => {
      if (no) throw Object.assign(new Error('no'), { code: 4001 });
      return { accounts: [account] };
    };
    const features = { 'standard:connect': { version: '1.0.0', connect }, 'solana:signTransaction': {} };
    const wallet = { version: '1.0.0', name: 'Phantom', icon: 'data:image/svg+xml,', chains: ['solana:devnet'], accounts: [], features };
    const tell = ({ register }: { register: (one: unknown) => void }) => register(wallet);
    addEventListener('wallet-standard:app-ready', (event) => tell((event as CustomEvent).detail));
  }, [WALLET, declines] as const);

test('a wallet that is connected fills in its address, and subscribing goes on to the payment', async () => {
  const tab = await arrives(withWallet(false));
  await tab.getByRole('button', { name: 'Connect Phantom' }).click();
  await tab.getByText('Phantom is connected.').waitFor();
  await tab.getByLabel('E-mail').fill('ada@example.com');
  await press(tab);
  await tab.waitForURL(/\/p\/pay_test_1$/);
  const [first, second] = checkout.sent;
  expect([first?.fields.get('customer_wallet'), first?.fields.get('customer_email')]).toEqual([WALLET, 'ada@example.com']);
  expect([checkout.sent.length, second?.path]).toEqual([2, SUBSCRIPTION]);
  // Back is the subscription, not the form that makes another one.
  await tab.goBack();
  await tab.waitForURL(checkout.origin + SUBSCRIPTION);
});

test('one that declines changes nothing, and it is said', async () => {
  const tab = await arrives(withWallet(true));
  await tab.getByRole('button', { name: 'Connect Phantom' }).click();
  await tab.getByText('You declined in the wallet.').waitFor();
  expect(await tab.getByLabel('Wallet address').inputValue()).toBe('');
});

test('pressed twice and in two tabs it is one attempt', async () => {
  let release: () => void = () => undefined;
  const held = new Promise<void>((done) => (release = done));
  checkout.answer = async (response) => (await held, redirect(SUBSCRIPTION)(response));
  const context = await browser.newContext();
  const [one, other] = [await opened(context), await opened(context)];
  for (const tab of [one, other]) {
    await fill(tab);
    await tab.getByRole('button', { name: 'Subscribe' }).dblclick();
  }
  release();
  for (const tab of [one, other]) await tab.waitForURL(/\/p\//);
  const made = checkout.sent.filter(({ path }) => path === PATH);
  expect([made.length, new Set(made.map(({ fields }) => fields.get('attempt'))).size]).toEqual([2, 1]);
});

test('without a network what was typed stays, and the same attempt is sent again', async () => {
  checkout.answer = (response) => response.destroy();
  const tab = await arrives();
  await fill(tab);
  await press(tab);
  await tab.getByText('You are offline.').waitFor();
  expect(await tab.getByLabel('Wallet address').inputValue()).toBe(WALLET);
  checkout.answer = page(renderTrouble({ status: 503, retry_after: 2, correlation_id: null, language: 'en' }, assets), 503);
  await press(tab);
  await tab.getByText('There is no answer right now').waitFor();
  checkout.answer = redirect(SUBSCRIPTION);
  await press(tab);
  await tab.waitForURL(/\/p\//);
  const made = checkout.sent.filter(({ path }) => path === PATH);
  // A browser sends a request again, whose connection was lost.
  expect(made.length).toBeGreaterThanOrEqual(3);
  expect(new Set(made.map(({ fields }) => fields.get('attempt'))).size).toBe(1);
});

test('what is mistyped is said beside it, and the focus is there', async () => {
  checkout.answer = page(renderPlanView(atPlan({}, { typed: { customer_wallet: 'x' }, malformed: ['customer_wallet'] }), assets), 400);
  const tab = await arrives(withWallet(false));
  await tab.getByLabel('Wallet address').fill('x');
  await press(tab);
  await tab.getByText('This is not the address of a Solana wallet.').waitFor();
  expect(await tab.evaluate(() => (document.activeElement as HTMLInputElement).name)).toBe('customer_wallet');
  await tab.getByRole('button', { name: 'Connect Phantom' }).click();
  await tab.getByText('Phantom is connected.').waitFor();
});

test('a browser that comes again finds its subscription, until another one is wanted or it is gone', async () => {
  checkout.subscription = atSubscription({}).page.shown;
  const context = await browser.newContext();
  const tab = await opened(context);
  await fill(tab);
  await press(tab);
  await says(tab, 'subscribed');
  const again = await opened(context);
  await says(again, 'subscribed');
  expect(again.url()).toBe(checkout.origin + SUBSCRIPTION);
  await again.getByRole('link', { name: 'Subscribe another wallet' }).click();
  await says(again, 'subscribe');
  await fill(again);
  await press(again);
  await says(again, 'subscribed');
  checkout.subscription = null;
  await again.goto(checkout.origin + PATH);
  await says(again, 'subscribe');
  await again.waitForFunction(() => localStorage.length === 0);
  expect(new Set(checkout.sent.map(({ fields }) => fields.get('attempt'))).size).toBe(2);
});

test('another language keeps what was typed; a phone without a wallet is offered apps', async () => {
  const tab = await opened(await browser.newContext({ hasTouch: true, isMobile: true }));
  expect(await tab.getByRole('link', { name: 'Open in Phantom' }).isVisible()).toBe(true);
  await fill(tab);
  await tab.getByRole('link', { name: 'Français' }).click();
  await tab.getByRole('heading', { name: 'Abonnez-vous avec votre portefeuille' }).waitFor();
  expect(await tab.getByLabel('Adresse du portefeuille').inputValue()).toBe(WALLET);
  expect([new URL(tab.url()).search, await tab.title()]).toEqual(['?lang=fr', 'S’abonner à Corner Coffee']);
  expect(await tab.getByRole('link', { name: 'Ouvrir dans Phantom' }).isVisible()).toBe(true);
});
