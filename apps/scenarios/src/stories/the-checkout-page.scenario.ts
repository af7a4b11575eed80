/**
 * @landing embedded
 * @runs embedded
 * @needs chromium
 */
import { eventually } from '../harness/eventually';
import { liveKey } from '../harness/merchants';
import { openShop } from './browser/shop';

const { program, customers, owner, order, link, usesOf, pay, richCustomer } = openShop();

test('a clock that is ten minutes off changes neither the countdown nor the payment', async () => {
  const customer = await richCustomer();
  await customer.context.addInitScript(() => {
    const { now } = Date;
    Date.now = () => now() + 600_000;
  });
  const { payment_url } = await order();
  const tab = await (await customer.opens(payment_url)).goesToChoice();
  expect(await tab.page.getByRole('timer').textContent()).toMatch(/^1[45]:\d\d left$/);
  await tab.press('Pay with Test Wallet');
  await tab.at('confirmed');
});

test('everything can be reached by keyboard alone, and each step is read out', async () => {
  const customer = await richCustomer();
  const { payment_url } = await order();
  const { page } = await (await customer.opens(payment_url)).at('email');
  const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '');
  const tabTo = async (name: string) => {
    for (let presses = 0; presses < 20 && (await focused()).trim() !== name; presses += 1) {
      await page.keyboard.press('Tab');
    }
    expect((await focused()).trim()).toBe(name);
    await page.keyboard.press('Enter');
  };
  await tabTo('Continue without e-mail');
  await page.locator('main[data-state="choose"]').waitFor();
  await eventually(focused, (text) => text === 'How do you want to pay?');
  await tabTo('Pay with Test Wallet');
  await page.locator('main[data-state="confirmed"]').waitFor();
  await eventually(focused, (text) => text === 'Payment complete');
});

describe('the simulator', () => {
  test.each([
    ['Pay', 'confirmed'],
    ['Pay too little', 'partial'],
    ['Pay in another token', 'wrong token'],
    ['Block', 'blocked'],
    ['Chain down', 'busy'],
  ])('%s: the customer sees %s', async (button, state) => {
    const customer = await customers.arrives();
    const { payment_url, id } = await order();
    const tab = await (await customer.opens(payment_url)).goesToChoice();
    await tab.press('Show QR code');
    await tab.press(button);
    await tab.at(state);
    if (state === 'blocked') {
      await tab.page.reload();
      await tab.at(state);
    }
    if (state !== 'partial') return;
    await tab.press('Pay the whole amount');
    await pay(id);
    await tab.at('confirmed');
  });

  test('is at a link, too: its first press begins the payment', async () => {
    const { hosted_page_url, link_code } = await link();
    const tab = await (await (await customers.arrives()).opens(hosted_page_url)).at('email');
    await tab.page.getByText('Simulator').click();
    await tab.press('Pay late');
    await tab.page.getByText('This is paid once the time is over.').waitFor();
    await tab.press('Pay');
    await tab.at('confirmed');
    expect(await usesOf(link_code, 1)).toBe(1);
  });

  test('is not there in live, and pays nothing there', async () => {
    const live = await liveKey(program, owner());
    const { payment_url, id } = (await live.post('/api/v1/payments', { amount: 5 })).json;
    const customer = await customers.arrives();
    const tab = await (await customer.opens(payment_url)).goesToChoice();
    await tab.press('Show QR code');
    await tab.at('qr');
    expect(await tab.page.getByText('Simulator').count()).toBe(0);
    const refused = await program.client().post('/api/v1/test_helpers/simulate', { payment_id: id, scenario: 'pay' });
    expect(refused.status).toBe(404);
  });
});

test('what the gateway refuses is a page for a browser, and a slash too many leads to the page', async () => {
  const asked = { accept: 'text/html', 'accept-language': 'fr', 'content-type': 'application/x-www-form-urlencoded' };
  const { status, text, headers } = await program.client().post('/l/nothing', '', asked);
  expect([status, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
  expect(text).toContain('Il n’y a rien à payer ici');
  const { payment_url } = await order();
  const tab = await (await customers.arrives()).opens(`${payment_url}/`);
  await tab.at('email');
  expect(tab.page.url()).toBe(payment_url);
});

test('what is unknown and what is malformed is one page, in the language of the customer', async () => {
  const customer = await customers.arrives({ locale: 'fr-FR' });
  const tab = await customer.opens(`${program.url}/p/pay_test_${'1'.repeat(22)}`);
  await tab.at('not found');
  expect(await tab.page.locator('h1').textContent()).toBe('Il n’y a rien à payer ici');
  const pages = ['/p/x', `/p/pay_live_${'1'.repeat(22)}`, `/l/t${'1'.repeat(22)}`, '/l/nothing'];
  const texts = pages.map(async (address) => {
    const { status, text } = await program.client().get(address);
    return [status, text.replace(/"now":"[^"]*"/, '')];
  });
  expect(new Set((await Promise.all(texts)).map(String)).size).toBe(1);
});
