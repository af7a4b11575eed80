/** @landing embedded */
import { allAtOnce } from '../harness/all-at-once';
import { idempotencyKey } from '../harness/client';
import { eventually } from '../harness/eventually';
import { sharedProgram } from '../harness/running-program';
import { Receiver } from '../harness/receiver';
import { liveKey, newMerchant, type Merchant } from '../harness/merchants';

const program = sharedProgram();
/** Comes again when it is told to: screening has a deadline, and the machine may be busy. */
const customer = program.client().patient();
let receiver: Receiver;
let merchant: Merchant;

beforeAll(async () => {
  receiver = await Receiver.start();
  merchant = await newMerchant(program, { webhook_url: receiver.url, support_email: 'help@shop.test' });
});
afterAll(() => receiver.close());

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- answers are what is under test
type Json = any;

const newLink = async (body: object, api = merchant.api): Promise<Json> => {
  const { status, json } = await api.post('/api/v1/payment-links', body, idempotencyKey());
  expect(status).toBe(201);
  return json;
};
const look = async (link: Json): Promise<Json> =>
  (await customer.get(`/api/v1/payment-links/${link.link_code}`)).json;
const pay = (link: Json) => customer.post(`/api/v1/payment-links/${link.link_code}/pay`);
const transfer = (payment_id: string) =>
  program.admin().post('/api/v1/test_helpers/pay', { payment_id });
/** An event may come twice, under the same id. */
const told = (event: string, link: Json) => [
  ...new Map(
    receiver
      .events(event)
      .filter(({ json }) => json.data.payment_link_id === link.id)
      .map(({ json }) => [json.id as string, json]),
  ).values(),
];

test('of 100 who pay at once by a link for 5, five can, and five are confirmed', async () => {
  const link = await newLink({ amount: 4, max_uses: 5, description: 'Ticket' });
  const path = `/api/v1/payment-links/${link.link_code}/pay`;
  const answers = await allAtOnce(100, path, () => customer);
  const made = answers.filter(({ status }) => status === 201).map(({ json }) => json.payment_id);
  expect(made).toHaveLength(5);
  const gone = answers.filter(({ status }) => status !== 201);
  expect(new Set(gone.map(({ json }) => json.code))).toEqual(new Set(['payment_link_exhausted']));

  for (const id of made) expect((await transfer(id)).status).toBe(200);
  await receiver.until(() => told('PaymentLinkUsed', link).length >= 5);
  const { link_code } = link;
  const common = { payment_link_id: link.id, link_code, amount: 4, token: 'USDC' };
  const { hosted_page_url } = link;
  expect(told('PaymentLinkCreated', link).map(({ data }) => data)).toEqual([
    { ...common, currency: 'USD', max_uses: 5, expires_at: null, hosted_page_url },
  ]);
  const used = told('PaymentLinkUsed', link).map(({ data, payment }) => [data, payment]);
  expect(used).toHaveLength(5);
  expect(used).toEqual(
    expect.arrayContaining(
      made.map((payment_id) => [{ ...common, payment_id, uses_count: 5 }, null]),
    ),
  );
  expect(await look(link)).toMatchObject({ uses_count: 5, is_active: false, status: 'exhausted' });
});

test('a link without an end counts who has paid; its customers see whom they pay', async () => {
  const link = await newLink({ amount: 2, collect_customer_info: true, metadata: { a: 1 } });
  expect(await look(link)).not.toHaveProperty('metadata');
  const [first] = await Promise.all([pay(link), pay(link), pay(link)]);
  const { payment_id, merchant_name, support_email } = first.json;
  expect([merchant_name, support_email]).toEqual(['Corner Shop', 'help@shop.test']);
  await eventually(() => look(link), ({ uses_count }) => uses_count === 3);

  const info = { email: 'ada@example.com', name: 'Ada' };
  const path = `/api/v1/payments/${payment_id}`;
  expect((await customer.post(`${path}/customer-info`, info)).json).toEqual({ payment_id, collected: true });
  const again = await customer.post(`${path}/customer-info`, info);
  expect([again.status, again.json.code]).toEqual([409, 'customer_info_set']);

  const renamed = await merchant.api.send('PATCH', '/api/v1/merchants/me', { name: 'Tea Room' });
  expect([renamed.status, renamed.json.name]).toEqual([200, 'Tea Room']);
  expect((await customer.get(`${path}/checkout-data`)).json).toMatchObject({
    ...{ merchant_name: 'Tea Room', payment_link_id: link.id, collect_customer_info: true },
    customer_data: { email: 'a***@e***', name: 'A***' },
  });
  await transfer(payment_id);
  await receiver.until(() => told('PaymentLinkUsed', link).length >= 1);
  expect(told('PaymentLinkUsed', link)[0].data).toMatchObject({ payment_id, uses_count: 3 });
});

test('a live link is paid live; what no link can be is refused', async () => {
  const live = await liveKey(program, merchant);
  const link = await newLink({ amount: 1 }, live);
  expect(link.link_code).toMatch(/^l/);
  const begun = await pay(link);
  expect([begun.json.mode, begun.headers['x-svc-mode']]).toEqual(['live', 'live']);
  const list = await eventually(
    () => live.get('/api/v1/payment-links'),
    ({ json }) => json[0]?.uses_count === 1,
  );
  expect(list.headers['x-total-count']).toBe('1');
  const refused = await merchant.api.post('/api/v1/payment-links', { amount: 1, amount_ngn: 5 });
  expect([refused.status, refused.json.details.fields[0].field]).toEqual([400, 'amount_ngn']);
});
