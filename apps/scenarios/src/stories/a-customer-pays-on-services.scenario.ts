/**
 * @landing postgres
 * @needs chromium
 */
import { eventually } from '../harness/eventually';
import { openShop } from './browser/shop';

const { customers, link, payment, usesOf, pay, fund } = openShop();

/** Timers of a second and more never end: a page asks nothing by the clock, and what it learns the stream has told. */
const neverByTheClock = (): void => {
  const { setTimeout: begin } = window;
  const patient = (work: () => void, delay_ms = 0) => (delay_ms < 1000 ? begin(work, delay_ms) : 0);
  Object.assign(window, { setTimeout: patient });
};

test('a customer without SOL opens a link, signs, and the stream says that it is paid', async () => {
  const customer = await customers.arrives();
  await customer.context.addInitScript(neverByTheClock);
  await fund(customer, { USDC: 100 });
  const { hosted_page_url, link_code } = await link({ max_uses: 1 });
  const tab = await (await customer.opens(hosted_page_url)).goesToChoice();
  await tab.press('Pay with Test Wallet');
  await tab.at('confirmed');
  const id = /pay_test_\w+/.exec(await tab.page.locator('dl').innerText())?.[0] ?? '';
  const known = await eventually(() => payment(id), ({ status }) => status === 'confirmed');
  expect([known.customer_wallet, await usesOf(link_code)]).toEqual([customer.wallet.address, 1]);
});

test('without JavaScript the same link leads to a code, and to an end', async () => {
  const customer = await customers.arrives({ javaScriptEnabled: false });
  const { hosted_page_url } = await link();
  const tab = await customer.opens(hosted_page_url, { has_wallet: false });
  await tab.press('Continue to payment');
  await tab.page.waitForURL(/\/p\/pay_test_\w+$/);
  const id = /pay_test_\w+/.exec(tab.page.url())?.[0] ?? '';
  expect(await tab.scan()).toBe((await payment(id)).qr_code);
  await pay(id);
  await eventually(() => payment(id), ({ status }) => status === 'confirmed');
  await tab.follow('Look again now');
  await tab.at('confirmed');
});
