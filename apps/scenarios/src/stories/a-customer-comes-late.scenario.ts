/**
 * @landing embedded
 * @runs embedded
 * @program own
 * @needs chromium
 */
import { eventually } from '../harness/eventually';
import { newMerchant, type Merchant } from '../harness/merchants';
import { Program } from '../harness/program';
import { Customers } from './browser/customers';

let program: Program;
let merchant: Merchant;
const customers = new Customers(() => program.url);

beforeAll(async () => {
  program = await Program.start();
  merchant = await newMerchant(program);
  await customers.open();
});

afterAll(async () => {
  await customers.close();
  await program.discard();
  expect(customers.foreign).toEqual([]);
});

test.each([['USDC'], ['USDT'], ['SOL']])('pays %s and the fee, where there is no sponsor', async (token) => {
  await program.admin().post('/admin/sponsor', { enabled: false, reason: 'no more' });
  const customer = await customers.arrives();
  for (const one of ['SOL', token]) {
    const given = { address: customer.wallet.address, token: one, amount: 100 };
    await merchant.api.post('/api/v1/test_helpers/faucet', given);
  }
  const { payment_url, id } = (await merchant.api.post('/api/v1/payments', { amount: 4.5, token })).json;
  const tab = await (await customer.opens(payment_url)).goesToChoice();
  await tab.press('Pay with Test Wallet');
  await tab.at('confirmed');
  const shown = () => merchant.api.get(`/api/v1/payments/${id}`);
  const { json } = await eventually(shown, (answer) => answer.json.status === 'confirmed');
  expect(json.customer_wallet).toBe(customer.wallet.address);
});

const timeIsOver = () => merchant.api.post('/api/v1/test_helpers/clock/advance', { seconds: 901 });

test('a page that is left open says not to pay any more; money that comes now is shown as late', async () => {
  const customer = await customers.arrives();
  const { payment_url } = (await merchant.api.post('/api/v1/payments', { amount: 4.5 })).json;
  const tab = await (await customer.opens(payment_url)).goesToChoice();
  await tab.press('Show QR code');
  await tab.at('qr');
  await timeIsOver();
  await tab.at('expired');
  await tab.page.getByText('Simulator').click();
  await tab.press('Pay late');
  await tab.at('late');
});

test('a customer who returns to a link after the payment has expired reads so, and begins a new one by a press', async () => {
  const customer = await customers.arrives();
  const { hosted_page_url, link_code } = (await merchant.api.post('/api/v1/payment-links', { amount: 12 })).json;
  const tab = await (await customer.opens(hosted_page_url)).goesToChoice();
  await timeIsOver();
  await tab.at('expired');
  await tab.follow('Start a new payment');
  await tab.goesToChoice();
  await timeIsOver();
  const later = await (await customer.opens(hosted_page_url)).at('expired');
  await later.follow('Start a new payment');
  await later.goesToChoice();
  await later.press('Show QR code');
  await later.press('Pay');
  await later.at('confirmed');
  const used = () => merchant.api.get(`/api/v1/payment-links/${link_code}`);
  await eventually(used, ({ json }) => json.uses_count === 1);
  // The one that is paid is what the link shows this customer, until another is asked for.
  const again = await (await customer.opens(hosted_page_url)).at('confirmed');
  await again.follow('Make another payment');
  await again.at('email');
});

test('a customer who has read that it is paid is taken back to the shop, with what the shop looks up', async () => {
  const customer = await customers.arrives();
  const return_url = `${program.url}/healthz?order=7`;
  const { payment_url, id } = (await merchant.api.post('/api/v1/payments', { amount: 4.5, return_url })).json;
  const tab = await (await customer.opens(payment_url)).goesToChoice();
  await tab.press('Show QR code');
  // The page says so for five seconds, and leads on: it is looked at before.
  await Promise.all([
    tab.at('confirmed'),
    merchant.api.post('/api/v1/test_helpers/pay', { payment_id: id }),
  ]);
  await tab.page.waitForURL(`${return_url}&payment_id=${id}&status=confirmed`);
});
