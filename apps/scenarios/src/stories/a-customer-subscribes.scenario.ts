/**
 * @landing embedded
 * @runs embedded
 * @needs chromium
 */
import { Keypair } from '@solana/web3.js';
import { eventually } from '../harness/eventually';
import { openShop } from './browser/shop';

const { program, owner, customers, plan, payment, pay, richCustomer } = openShop();

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const seen = async (id: string) => (await owner().api.get(`/api/v1/subscriptions/${id}`)).json;
const idIn = (address: string): string => /sub_test_\w+/.exec(address)?.[0] ?? '';

test('a wallet subscribes by keyboard on a small phone, pays its first period, and finds its subscription again', async () => {
  const customer = await richCustomer();
  const { subscription_url } = await plan();
  const tab = await (await customer.opens(subscription_url)).at('subscribe');
  const { page } = tab;
  await page.setViewportSize({ width: 320, height: 640 });
  await page.getByRole('button', { name: 'Connect Test Wallet' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('Test Wallet is connected.').waitFor();
  await page.getByLabel('E-mail').focus();
  await page.keyboard.type('ada@example.com');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Ada Lovelace');
  await page.keyboard.press('Enter');
  // The payment knows its customer, and does not ask again.
  await tab.at('choose');
  await tab.press('Pay with Test Wallet');
  await tab.at('confirmed');
  await page.goto(subscription_url);
  await eventually(
    async () => (await page.reload(), page.locator('main').getAttribute('data-state')),
    (state) => state === 'subscribed',
  );
  const paid = () => seen(idIn(page.url()));
  expect(await eventually(paid, ({ cycles_completed }) => cycles_completed === 1)).toMatchObject({
    ...{ status: 'Active', customer_wallet: customer.wallet.address },
    ...{ customer_email: 'ada@example.com', customer_name: 'Ada Lovelace', locale: 'en' },
  });
});

describe('without JavaScript', () => {
  const arrives = async (address: string) => {
    const customer = await customers.arrives({ javaScriptEnabled: false });
    const tab = await (await customer.opens(address, { has_wallet: false })).at('subscribe');
    return { tab, wallet: customer.wallet.address };
  };

  test('a wallet subscribes, and the page leads to the code of its first payment', async () => {
    const { subscription_url } = await plan();
    const { tab, wallet } = await arrives(`${subscription_url}?lang=en`);
    await tab.page.getByLabel('Wallet address').fill('my wallet');
    await tab.press('Subscribe');
    await tab.page.getByText('This is not the address of a Solana wallet.').waitFor();
    await tab.page.getByRole('textbox', { name: 'Wallet address' }).fill(wallet);
    await tab.press('Subscribe');
    await tab.at('due');
    const subscription = tab.page.url();
    await tab.press('Continue to payment');
    await tab.page.waitForURL(/\/p\/pay_test_\w+\?lang=en$/);
    const id = /pay_test_\w+/.exec(tab.page.url())?.[0] ?? '';
    expect(await tab.scan()).toBe((await payment(id)).qr_code);
    await pay(id);
    const paid = () => seen(idIn(subscription));
    await eventually(paid, ({ cycles_completed }) => cycles_completed === 1);
    await tab.page.goto(subscription);
    await tab.at('subscribed');
  });

  test('a trial has nothing to pay, and says when it has', async () => {
    const { subscription_url } = await plan({ trial_days: 14 });
    const { tab, wallet } = await arrives(subscription_url);
    await tab.page.getByLabel('Wallet address').fill(wallet);
    await tab.press('Start the free trial');
    await tab.at('trial');
    const { status, payment_url } = await seen(idIn(tab.page.url()));
    expect([status, payment_url]).toEqual(['Trialing', null]);
    expect(await tab.page.getByText('Nothing is to be paid now.').textContent()).toMatch(/\$9\.50 comes on \d/);
  });
});

test('sent three times at once the form makes one subscription; from another site none; of an archived plan none', async () => {
  const { subscription_url, id } = await plan();
  const path = new URL(subscription_url).pathname;
  const page = await program.client().get(path);
  const attempt = /name="attempt" value="(\w{32})"/.exec(page.text)?.[1];
  const form = `attempt=${attempt}&customer_wallet=${Keypair.generate().publicKey.toBase58()}`;
  const send = (headers = {}) => program.client().post(path, form, { ...FORM, ...headers });
  const foreign = await send({ 'sec-fetch-site': 'cross-site' });
  expect([foreign.status, foreign.headers.location]).toEqual([303, path]);
  const answers = await Promise.all([send(), send(), send()]);
  expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
  const [made, ...others] = new Set(answers.map(({ headers }) => headers.location));
  expect([idIn(String(made)), others]).toEqual([expect.stringMatching(/^sub_test_\w{22}$/), []]);
  await owner().api.post(`/api/v1/subscription-plans/${id}/deactivate`);
  const closed = await program.client().get(path);
  expect([closed.status, closed.text]).toEqual([200, expect.stringContaining('data-state="plan closed"')]);
  const late = await program.client().post(path, form.replace(/attempt=\w+/, 'attempt='), FORM);
  expect([late.status, late.headers.location]).toEqual([303, path]);
  // Of the subscription that there is the page goes on.
  expect((await program.client().get(String(made))).text).toContain('data-state="due"');
});

test('what is unknown, malformed or of another plan is one page', async () => {
  const [one, other] = [await plan(), await plan()];
  const wanted = { plan_id: one.id, customer_wallet: Keypair.generate().publicKey.toBase58() };
  const { id } = (await program.client().post('/api/v1/subscriptions', wanted)).json;
  const paths = [`/s/plan_test_${'1'.repeat(22)}`, '/s/x', `/s/${other.id}/${id}`, `/s/${one.id}/x`, `/s/plan_live_${'1'.repeat(22)}`];
  const pages = await Promise.all(paths.map((path) => program.client().get(path)));
  const texts = pages.map(({ status, text }) => [status, text.replace(/"now":"[^"]*"/, '')].join());
  expect([pages[0]?.status, new Set(texts).size]).toEqual([404, 1]);
  expect((await program.client().get(`/s/${one.id}/${id}`)).status).toBe(200);
});
