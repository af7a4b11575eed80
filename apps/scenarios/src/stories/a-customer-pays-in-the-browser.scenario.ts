/**
 * @landing embedded
 * @runs embedded
 * @needs chromium
 */
import { eventually } from '../harness/eventually';
import { openShop } from './browser/shop';

const shop = openShop();
const { program, customers, order, link, payment, usesOf, pay, fund, richCustomer } = shop;

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
    const { tab } = await shop.meetsAnotherWallet();
    await tab.press('Choose a wallet');
    await tab.at('choose');
  });
});

describe('a QR code', () => {
  test('says on the screen what the API says, and the page sees the money come', async () => {
    const customer = await customers.arrives({ viewport: { width: 360, height: 740 } });
    const { payment_url, qr_code, id } = await order();
    const tab = await (await customer.opens(payment_url, { has_wallet: false })).goesToChoice();
    await tab.press('Show QR code');
    await tab.at('qr');
    expect(await tab.scan()).toBe(qr_code);
    await pay(id);
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
    expect(await usesOf(link_code, 1)).toBe(1);
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
    // Its one use is held until the link has heard of the payment’s end.
    const shown = () => program.client().get(new URL(hosted_page_url).pathname);
    await eventually(shown, ({ text }) => text.includes('"status":"exhausted"'));
    const late = await customers.arrives();
    await (await late.opens(hosted_page_url)).at('link closed');
  });

  test('of a customer whom screening blocks says no more than that', async () => {
    const { hosted_page_url, link_code } = await link({ customer: { email: 'ada+score90@tender.test' } });
    const tab = await (await (await customers.arrives()).opens(hosted_page_url)).at('continue');
    await tab.press('Continue to payment');
    await tab.at('blocked');
    expect(await usesOf(link_code)).toBe(0);
  });
});
