/**
 * @landing embedded
 * @runs embedded
 * @needs chromium
 */
import jsQr from 'jsqr';
import { PNG } from 'pngjs';
import { eventually } from '../harness/eventually';
import { liveKey, newMerchant, type Merchant } from '../harness/merchants';
import { sharedProgram } from '../harness/running-program';
import { Customers, type Customer } from './browser/customers';

const program = sharedProgram();
const customers = new Customers(() => program.url);
let merchant: Merchant;

beforeAll(async () => {
  merchant = await newMerchant(program);
  await customers.open();
});

afterAll(async () => {
  await customers.close();
  expect(customers.foreign).toEqual([]);
  expect(customers.faults).toEqual([]);
});

const order = async (fields: object = {}) =>
  (await merchant.api.post('/api/v1/payments', { amount: 4.5, ...fields })).json;
const link = async (fields: object = {}) =>
  (await merchant.api.post('/api/v1/payment-links', { amount: 12, ...fields })).json;
const payment = async (id: string) => (await merchant.api.get(`/api/v1/payments/${id}`)).json;

/** Gives the customer's wallet what it needs. */
async function fund({ wallet }: Customer, money: Readonly<Record<string, number>>): Promise<void> {
  for (const [token, amount] of Object.entries(money)) {
    await merchant.api.post('/api/v1/test_helpers/faucet', { address: wallet.address, token, amount });
  }
}

async function richCustomer(): Promise<Customer> {
  const customer = await customers.arrives();
  await fund(customer, { SOL: 1, USDC: 100 });
  return customer;
}

describe('a wallet in the browser', () => {
  test.each([['USDC'], ['USDT'], ['SOL']])('pays %s, and the shop its fee', async (token) => {
    const customer = await customers.arrives();
    // No SOL beside what is due: nothing to pay a fee with.
    await fund(customer, { [token]: 100 });
    const { payment_url, id } = await order({ token });
    const tab = await (await customer.opens(payment_url)).goesToChoice();
    await tab.press('Pay with Test Wallet');
    await tab.at('confirmed');
    const known = await eventually(() => payment(id), ({ status }) => status === 'confirmed');
    expect(known.customer_wallet).toBe(customer.wallet.address);
  });

  test('declines: nothing is paid, it is said quietly, and the next try pays', async () => {
    const customer = await richCustomer();
    customer.wallet.mood = 'rejects';
    const { payment_url } = await order();
    const tab = await (await customer.opens(payment_url)).goesToChoice();
    await tab.press('Pay with Test Wallet');
    await tab.page.getByText('You declined in the wallet').waitFor();
    await tab.at('choose');
    customer.wallet.mood = 'willing';
    await tab.press('Pay with Test Wallet');
    await tab.at('confirmed');
  });

  test('pressed twice makes one transaction', async () => {
    const customer = await richCustomer();
    const { payment_url } = await order();
    const tab = await (await customer.opens(payment_url)).goesToChoice();
    const builds = tab.countRequests('/build-transaction');
    await tab.page.getByRole('button', { name: 'Pay with Test Wallet' }).dblclick();
    await tab.at('confirmed');
    expect([builds(), customer.wallet.asked]).toEqual([1, 1]);
  });

  test('is silent: the customer goes back and scans instead; what it signs later is not handed in', async () => {
    const customer = await richCustomer();
    customer.wallet.mood = 'silent';
    const { payment_url } = await order();
    const tab = await (await customer.opens(payment_url)).goesToChoice();
    const submits = tab.countRequests('-transaction');
    await tab.press('Pay with Test Wallet');
    await eventually(async () => customer.wallet.asked, (asked) => asked === 1);
    await tab.at('signing');
    await tab.page.goBack();
    await tab.at('choose');
    const built = submits();
    customer.wallet.speakUp();
    await tab.press('Show QR code');
    await tab.at('qr');
    await tab.page.goBack();
    await tab.at('choose');
    expect(submits()).toBe(built);
  });

  test('another one than that which has begun is asked to step back', async () => {
    const [first, second] = [await richCustomer(), await richCustomer()];
    first.wallet.mood = 'silent';
    const { payment_url } = await order();
    const one = await (await first.opens(payment_url)).goesToChoice();
    await one.press('Pay with Test Wallet');
    await eventually(async () => first.wallet.asked, (asked) => asked === 1);
    const other = await (await second.opens(payment_url)).goesToChoice();
    await other.press('Pay with Test Wallet');
    await other.at('switch account');
    await other.press('Choose a wallet');
    await other.at('choose');
  });
});

describe('a QR code', () => {
  test('says on the screen what the API says, and the page sees the money come', async () => {
    const customer = await customers.arrives({ viewport: { width: 360, height: 740 } });
    const { payment_url, qr_code, id } = await order();
    const tab = await (await customer.opens(payment_url, { has_wallet: false })).goesToChoice();
    await tab.press('Show QR code');
    await tab.at('qr');
    const { data, width, height } = PNG.sync.read(await tab.page.screenshot());
    expect(jsQr(new Uint8ClampedArray(data), width, height)?.data).toBe(qr_code);
    await merchant.api.post('/api/v1/test_helpers/pay', { payment_id: id });
    await tab.at('confirmed');
  });

  test('is there without JavaScript, and the page is at its end when it is paid', async () => {
    const customer = await customers.arrives({ javaScriptEnabled: false });
    const { payment_url, qr_code, id } = await order();
    const tab = await customer.opens(payment_url, { has_wallet: false });
    const { data, width, height } = PNG.sync.read(await tab.page.screenshot());
    expect(jsQr(new Uint8ClampedArray(data), width, height)?.data).toBe(qr_code);
    await merchant.api.post('/api/v1/test_helpers/pay', { payment_id: id });
    await eventually(() => payment(id), ({ status }) => status === 'confirmed');
    await tab.page.reload();
    await tab.at('confirmed');
  });
});

describe('a link', () => {
  test('in two tabs, pressed at once, begins one payment, and a reload goes on with it', async () => {
    const customer = await customers.arrives();
    const { hosted_page_url, link_code } = await link();
    const tabs = [await customer.opens(hosted_page_url), await customer.opens(hosted_page_url)];
    for (const tab of tabs) await tab.at('email');
    await Promise.all(tabs.map((tab) => tab.press('Continue without e-mail')));
    for (const tab of tabs) await tab.at('choose');
    await tabs[0]!.page.reload();
    await tabs[0]!.at('choose');
    expect((await merchant.api.get(`/api/v1/payment-links/${link_code}`)).json.uses_count).toBe(1);
  });

  test('that asks for details gets them before it takes money', async () => {
    const customer = await richCustomer();
    const { hosted_page_url } = await link({ collect_customer_info: true });
    const tab = await (await customer.opens(hosted_page_url)).at('email');
    await tab.page.getByLabel('E-mail').fill('ada');
    await tab.press('Continue');
    await tab.page.getByRole('textbox', { name: 'E-mail' }).fill('ada@example.com');
    await tab.press('Continue');
    await tab.at('info');
    const details = {
      ...{ 'Full name': 'Ada Lovelace', Address: '1 High Street' },
      ...{ 'Postal code': 'N1 1AA', City: 'London' },
    };
    for (const [label, text] of Object.entries(details)) {
      await tab.page.getByLabel(label, { exact: true }).fill(text);
    }
    await tab.page.getByLabel('Country').selectOption('GB');
    await tab.press('Continue');
    await tab.at('choose');
    await tab.press('Pay with Test Wallet');
    await tab.at('confirmed');
  });

  test('for a known customer asks for one press; used up, it says that it is closed', async () => {
    const customer = await richCustomer();
    const { hosted_page_url } = await link({ customer: { email: 'ada@example.com', name: 'Ada Lovelace' } });
    const tab = await (await customer.opens(hosted_page_url)).at('continue');
    expect(await tab.page.content()).not.toContain('ada@example.com');
    await tab.press('Continue to payment');
    await tab.at('choose');
    await tab.press('Pay with Test Wallet');
    await tab.at('confirmed');
    const late = await customers.arrives();
    await (await late.opens(hosted_page_url)).at('link closed');
  });
});

test('the page comes back from being offline to where the customer was, with what was typed', async () => {
  const customer = await customers.arrives();
  const { payment_url, id } = await order();
  const tab = await (await customer.opens(payment_url)).at('email');
  const dropOut = async (state: string) => {
    await customer.context.setOffline(true);
    await tab.at('offline');
    await customer.context.setOffline(false);
    await tab.at(state);
  };
  await tab.page.getByLabel('E-mail').fill('ada@example.com');
  await dropOut('email');
  expect(await tab.page.getByLabel('E-mail').inputValue()).toBe('ada@example.com');
  await tab.press('Continue');
  await tab.at('choose');
  await dropOut('choose');
  await tab.press('Show QR code');
  await tab.at('qr');
  await dropOut('qr');
  await customer.context.setOffline(true);
  await tab.at('offline');
  await merchant.api.post('/api/v1/test_helpers/pay', { payment_id: id });
  await customer.context.setOffline(false);
  await tab.at('confirmed');
});

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
    if (state !== 'partial') return;
    await tab.press('Pay the whole amount');
    await merchant.api.post('/api/v1/test_helpers/pay', { payment_id: id });
    await tab.at('confirmed');
  });

  test('is not there in live, and pays nothing there', async () => {
    const live = await liveKey(program, merchant);
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
