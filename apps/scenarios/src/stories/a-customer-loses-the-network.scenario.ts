/**
 * @landing embedded
 * @runs embedded
 * @needs chromium
 */
import type { Route } from 'playwright-core';
import { eventually } from '../harness/eventually';
import type { Customer, Tab } from './browser/customers';
import { openShop } from './browser/shop';

const { customers, order, link, payment, pay, richCustomer, meetsAnotherWallet } = openShop();

const APPROVED = 'You have approved your payment';
const SENT = 'Your payment was sent';
const ONCE = 'Do not pay a second time';

/** Of one customer at one tab. Where it comes and goes in quick succession, Chromium keeps an event to itself. */
function networkOf({ context }: Customer, tab: Tab) {
  const tell = (event: 'offline' | 'online') =>
    tab.page.evaluate((name) => dispatchEvent(new Event(name)), event);
  return {
    async goes(): Promise<void> {
      await context.setOffline(true);
      await tell('offline');
      await tab.at('offline');
    },
    async comes(): Promise<void> {
      await context.setOffline(false);
      await tell('online');
    },
    async dropsOut(state: string): Promise<void> {
      await this.goes();
      await this.comes();
      await tab.at(state);
    },
  };
}

/** At the choice of a way to pay, with money; counts what is handed in. */
async function ready(fields: object = {}) {
  const customer = await richCustomer();
  const { payment_url, id } = await order(fields);
  const tab = await (await customer.opens(payment_url)).goesToChoice();
  return { customer, tab, id, network: networkOf(customer, tab), handedIn: tab.countRequests('-transaction') };
}

/** What happens to the request that hands the signed transaction in; later ones go through. */
const onceHandedIn = ({ page }: Tab, answer: (route: Route) => Promise<void>) =>
  page.route(/\/submit-[a-z-]*transaction$/, answer, { times: 1 });

const says = (tab: Tab, words: string) => tab.page.getByText(words).waitFor();

/** Paid once, by a customer who was asked once. */
async function paidOnce({ customer, tab, id }: Awaited<ReturnType<typeof ready>>): Promise<void> {
  await tab.at('confirmed');
  await eventually(() => payment(id), ({ status }) => status === 'confirmed');
  expect(customer.wallet.asked).toBe(1);
}

test('before a payment is chosen it comes back to where the customer was, with what was typed', async () => {
  const customer = await customers.arrives();
  const { hosted_page_url } = await link({ collect_customer_info: true });
  const tab = await (await customer.opens(hosted_page_url)).at('email');
  const network = networkOf(customer, tab);
  await tab.page.getByLabel('E-mail').fill('ada@example.com');
  await network.dropsOut('email');
  expect(await tab.page.getByLabel('E-mail').inputValue()).toBe('ada@example.com');
  await tab.press('Continue');
  await tab.at('info');
  await tab.page.getByLabel('City', { exact: true }).fill('London');
  await network.dropsOut('info');
  expect(await tab.page.getByLabel('City', { exact: true }).inputValue()).toBe('London');
  const known = await (await customer.opens((await link({ customer: { email: 'a@b.example' } })).hosted_page_url)).at('continue');
  await networkOf(customer, known).dropsOut('continue');
});

test('at the choice and at the code; what was paid meanwhile shows when it is back', async () => {
  const { tab, id, network } = await ready();
  await network.dropsOut('choose');
  await tab.press('Show QR code');
  await tab.at('qr');
  await network.dropsOut('qr');
  await network.goes();
  await pay(id);
  await network.comes();
  await tab.at('confirmed');
});

test('a press that finds no network is done when there is one', async () => {
  const paying = await ready();
  const { tab } = paying;
  await tab.page.route('**/build-transaction', (route) => route.abort(), { times: 1 });
  // It is offline for a second, until it tries again.
  await Promise.all([tab.at('offline'), tab.press('Pay with Test Wallet')]);
  await paidOnce(paying);
});

test('while the wallet asks: it stays so, and the wallet’s answer counts when the network is back', async () => {
  const paying = await ready();
  const { customer, tab, network, handedIn } = paying;
  customer.wallet.mood = 'silent';
  await tab.press('Pay with Test Wallet');
  await eventually(async () => customer.wallet.asked, (asked) => asked === 1);
  await network.dropsOut('signing');
  await network.goes();
  const built = handedIn();
  // It looks again, and does not claim that all is well because a wallet is asked.
  await tab.press('Try now');
  await tab.at('offline');
  await says(tab, 'Your payment is kept as it is');
  customer.wallet.speakUp();
  await says(tab, APPROVED);
  await says(tab, ONCE);
  expect(await tab.page.getByRole('button', { name: /Pay/ }).count()).toBe(0);
  await network.comes();
  await paidOnce(paying);
  expect(handedIn()).toBeGreaterThan(built);
});

test('the customer who steps back then is still told the truth, and pays once', async () => {
  const paying = await ready();
  const { customer, tab, network } = paying;
  await onceHandedIn(tab, async (route) => {
    await customer.context.setOffline(true);
    await route.abort();
  });
  await tab.press('Pay with Test Wallet');
  await says(tab, APPROVED);
  // Nothing calls back what a wallet has signed: a way to pay once more would be a second charge.
  await tab.page.goBack();
  await says(tab, APPROVED);
  await says(tab, ONCE);
  await network.comes();
  await paidOnce(paying);
});

test.each([
  ['the request is lost', async (route: Route) => route.abort()],
  ['the answer is lost', async (route: Route) => {
    await route.fetch();
    await route.abort();
  }],
])('while it is handed in, and %s: it is handed in again, and paid once', async (_, lose) => {
  const paying = await ready();
  const { customer, tab, network } = paying;
  await onceHandedIn(tab, async (route) => {
    // Before: a page that is quick hands it in again, or reads how it ended.
    await customer.context.setOffline(true);
    await lose(route);
  });
  await tab.press('Pay with Test Wallet');
  await tab.at('offline');
  await says(tab, ONCE);
  await network.comes();
  await paidOnce(paying);
});

test('while it is handed in, and the page is loaded again: it is handed in again, and paid once', async () => {
  const paying = await ready();
  const { tab } = paying;
  let hangs = false;
  await onceHandedIn(tab, async () => void (hangs = true));
  await tab.press('Pay with Test Wallet');
  await eventually(async () => hangs, (is_so) => is_so);
  await tab.page.reload();
  await paidOnce(paying);
});

test('while it confirms: the page says that it was sent, and shows the end when it is back', async () => {
  const paying = await ready();
  const { customer, tab, network } = paying;
  await onceHandedIn(tab, async (route) => {
    // Before it is handed in: else the page may see it confirmed.
    await customer.context.setOffline(true);
    const response = await route.fetch();
    await route.fulfill({ response });
  });
  await tab.press('Pay with Test Wallet');
  await says(tab, SENT);
  await says(tab, ONCE);
  await tab.at('offline');
  await network.comes();
  await paidOnce(paying);
});

test('after too little came, and at another wallet’s payment', async () => {
  const { tab, network } = await ready();
  await tab.press('Show QR code');
  await tab.press('Pay too little');
  await tab.at('partial');
  await network.dropsOut('partial');
  const other = await meetsAnotherWallet();
  await networkOf(other.customer, other.tab).dropsOut('switch account');
});

test('at an end nothing is missing without a network', async () => {
  const { customer, tab } = await ready();
  await tab.press('Pay with Test Wallet');
  await tab.at('confirmed');
  await customer.context.setOffline(true);
  await tab.page.evaluate(() => dispatchEvent(new Event('offline')));
  expect(await tab.page.locator('main').getAttribute('data-state')).toBe('confirmed');
});
