/**
 * @landing embedded
 * @runs embedded
 * @needs chromium
 */
import { eventually } from '../harness/eventually';
import { openShop } from './browser/shop';

const { program, customers, order, link, payment, usesOf, pay } = openShop();

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const arrives = (options: object = {}) =>
  customers.arrives({ javaScriptEnabled: false, ...options });

test('a payment shows its code and opens a wallet, and its page comes to its end', async () => {
  const { payment_url, qr_code, id } = await order();
  const tab = await (await arrives()).opens(payment_url, { has_wallet: false });
  expect(await tab.scan()).toBe(qr_code);
  expect(await tab.page.getByRole('link', { name: 'Open in your wallet' }).getAttribute('href')).toBe(qr_code);
  await pay(id);
  await eventually(() => payment(id), ({ status }) => status === 'confirmed');
  await tab.follow('Look again now');
  await tab.at('confirmed');
});

test('a link begins a payment by a press, and leads to its code', async () => {
  const { hosted_page_url, link_code } = await link({ max_uses: 1 });
  const tab = await (await arrives({ locale: 'fr-FR' })).opens(`${hosted_page_url}?lang=en`, { has_wallet: false });
  await tab.press('Continue to payment');
  await tab.page.waitForURL(/\/p\/pay_test_\w+\?lang=en$/);
  const id = tab.page.url().match(/pay_test_\w+/)?.[0] ?? '';
  expect(await tab.scan()).toBe((await payment(id)).qr_code);
  expect(await usesOf(link_code, 1)).toBe(1);
  const late = await (await arrives()).opens(hosted_page_url, { has_wallet: false });
  // The payment is open: it holds the one use.
  await late.at('link full');
});

test('a known customer is asked whether it is them, and no more', async () => {
  const customer = { email: 'ada@example.com', name: 'Ada Lovelace' };
  const { hosted_page_url } = await link({ customer, collect_customer_info: true });
  const tab = await (await arrives()).opens(hosted_page_url, { has_wallet: false });
  await tab.page.getByRole('heading', { name: 'Is this you?' }).waitFor();
  expect(await tab.page.content()).not.toContain('ada@example.com');
  await tab.press('Continue to payment');
  await tab.page.getByRole('heading', { name: 'Scan to pay' }).waitFor();
});

test('a shop that asks for details gets them before there is a code; what is wrong is said beside it', async () => {
  const { hosted_page_url } = await link({ collect_customer_info: true });
  const { page } = await (await arrives()).opens(hosted_page_url, { has_wallet: false });
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  await page.getByRole('heading', { name: 'Your details' }).waitFor();
  expect(await page.locator('.qr').count()).toBe(0);
  const details = {
    ...{ 'E-mail': 'ada@example', 'Full name': 'Ada Lovelace', Address: '1 High Street' },
    ...{ 'Postal code': 'N1 1AA', City: 'London' },
  };
  for (const [label, text] of Object.entries(details)) {
    await page.getByLabel(label, { exact: true }).fill(text);
  }
  await page.getByLabel('Country').selectOption('GB');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.locator('#email-fault').waitFor();
  expect(await page.getByLabel('City', { exact: true }).inputValue()).toBe('London');
  await page.getByRole('textbox', { name: 'E-mail' }).fill('ada@example.com');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('heading', { name: 'Scan to pay' }).waitFor();
  const id = page.url().match(/pay_test_\w+/)?.[0] ?? '';
  const { json } = await program.client().get(`/api/v1/payments/${id}/checkout-data`);
  expect(json.customer_data).toMatchObject({ email: 'a***@e***', billing_city: 'L***' });
});

test('money that is too little does not hide the code: the whole amount can still be paid', async () => {
  const { payment_url, qr_code, id } = await order();
  await program.client().post('/api/v1/test_helpers/simulate', { payment_id: id, scenario: 'underpay' });
  const tab = await (await arrives()).opens(payment_url, { has_wallet: false });
  await eventually(
    async () => (await tab.page.reload(), tab.page.locator('main').getAttribute('data-state')),
    (state) => state === 'partial',
  );
  await tab.page.locator('.qr').scrollIntoViewIfNeeded();
  expect(await tab.scan()).toBe(qr_code);
});

test('a form that is sent twice begins one payment; one of another site begins none', async () => {
  const { link_code } = await link();
  const { text } = await program.client().get(`/l/${link_code}`);
  const form = `attempt=${/name="attempt" value="(\w{32})"/.exec(text)?.[1]}`;
  const send = (body: string, headers = {}) =>
    program.client().post(`/l/${link_code}`, body, { ...FORM, ...headers });
  const foreign = await send(form, { 'sec-fetch-site': 'cross-site' });
  expect([foreign.status, foreign.headers.location, await usesOf(link_code)]).toEqual([303, `/l/${link_code}`, 0]);
  const answers = await Promise.all([send(form), send(form), send(form)]);
  expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
  expect(new Set(answers.map(({ headers }) => headers.location)).size).toBe(1);
  expect(await usesOf(link_code, 1)).toBe(1);
  const other = await send('');
  expect([other.status, await usesOf(link_code, 2)]).toEqual([303, 2]);
});

test('an address that begins too many payments by a link reads when a place may be free', async () => {
  const { link_code } = await link({ max_uses: 200 });
  const attempts = Array.from({ length: 101 }, (_, at) => at.toString(16).padStart(32, '0'));
  // So many at once may be more than a busy machine screens in time: a form is sent again under its attempt.
  const customer = program.client().patient();
  const send = (attempt: string) => customer.post(`/l/${link_code}`, `attempt=${attempt}`, FORM);
  const answers = await Promise.all(attempts.map(send));
  const refused = answers.filter(({ status }) => status !== 303);
  expect([refused.map(({ status }) => status), await usesOf(link_code, 100)]).toEqual([[429], 100]);
  expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(600);
  expect(refused[0]?.text).toMatch(/data-state="link full".*A place may be free in 1\d min\./s);
});

test('the page tells a customer whom screening blocks no more than that, and the payment’s id', async () => {
  const { hosted_page_url, link_code } = await link({ customer: { email: 'ada+score90@tender.test' } });
  const tab = await (await arrives()).opens(hosted_page_url, { has_wallet: false });
  await tab.press('Continue to payment');
  await tab.at('blocked');
  const reference = () => tab.page.locator('main .code').textContent();
  const id = await reference();
  expect(id).toMatch(/^pay_test_\w{22}$/);
  // The form is sent again.
  await tab.page.reload();
  expect([await reference(), await usesOf(link_code)]).toEqual([id, 0]);
});
