import type { ContextStage } from '@tender/runtime/testing';
import { paymentsStage } from '../testing/payments-stage';

const OWNER = {
  ...{ merchant_id: 'm1', merchant_name: 'Corner Shop', wallet: 'W1' },
  ...{ actor: 'key:k1', asker: { kind: 'key', key_id: 'k1' } as const },
};
const ADA = { email: ' Ada@Example.com ', name: 'Ada Lovelace', phone: '+44 20 7946', billing_country: 'GB' };

let stage: ContextStage;
beforeAll(async () => {
  stage = await paymentsStage();
});
afterAll(() => stage?.close());

const create = (body: object, changes: object = {}) =>
  stage.send('POST', '/api/v1/payment-links', stage.caller({ ...OWNER, ...changes }), {
    ...{ amount: 10.5, ...body },
  });
const get = (path: string, changes: object = {}) =>
  stage.send('GET', `/api/v1/payment-links${path}`, stage.caller(changes));

test('answers every field of the table; code and id name the same link', async () => {
  const expires_at = '2030-05-31T12:00:00+02:00';
  const shop = { external_id: 'o-42', return_url: 'https://s.test/a', cancel_url: 'http://s.test/b' };
  const metadata = { order: 42 };
  const wanted = { expires_at, max_uses: 3, metadata, ...shop, onramp: false };
  const { status, json } = await create(wanted);
  expect(status).toBe(201);
  const url = `http://pay.test/l/${json.link_code}`;
  expect(json).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{14}8[0-9a-f-]{20}[02468ace]$/) as string,
    link_code: expect.stringMatching(/^t[0-9A-Za-z]{22}$/) as string,
    ...{ description: null, amount: 10.5, currency: 'USD', token: 'USDC' },
    ...{ hosted_page_url: url, payment_url: url, max_uses: 3, uses_count: 0 },
    ...{ expires_at: '2030-05-31T10:00:00.000Z', is_active: true, status: 'active' },
    ...{ onramp: false, payer_service_charge: false, collect_customer_info: false },
    ...{ customer_data: null, ...shop, split_recipients: [], mode: 'test', metadata },
    created_at: expect.any(String) as string,
    updated_at: json.created_at,
  });
  const { metadata: _, ...to_all } = json;
  for (const name of [json.link_code, json.id]) {
    expect((await get(`/${name}`)).json).toEqual(to_all);
    expect((await get(`/${name}`, OWNER)).json).toEqual(json);
  }
  for (const none of [json.id.toUpperCase(), `{${json.id}}`]) {
    expect((await get(`/${none}`, OWNER)).json).toMatchObject({ code: 'payment_link_not_found' });
  }
});

test('for a customer it is used once, and only its merchant reads who that is', async () => {
  const { json } = await create({ customer: ADA, max_uses: 9, collect_customer_info: true });
  const whole = {
    ...{ email: 'Ada@Example.com', name: 'Ada Lovelace', phone: '+44 20 7946', company: null },
    ...{ billing_address_line1: null, billing_address_line2: null, billing_city: null },
    ...{ billing_state: null, billing_postal_code: null, billing_country: 'GB' },
  };
  expect(json).toMatchObject({ max_uses: 1, collect_customer_info: true });
  expect((await get(`/${json.id}`, OWNER)).json.customer_data).toEqual(whole);
  const masked = { ...whole, email: 'A***@E***', name: 'A***', phone: '+***' };
  expect((await get(`/${json.link_code}`)).json.customer_data).toEqual(masked);
  const events = await stage.runtime.eventStore.load(`link.test-${json.id}`);
  expect(events[0]?.metadata.subject_ids).toHaveLength(1);
  expect(JSON.stringify(events)).not.toMatch(/ada@example|lovelace|\+44 20/i);

  const path = `/api/v1/payment-links/${json.link_code}/pay`;
  const paid = await stage.send('POST', path, stage.caller());
  expect(paid.json).toMatchObject({ collect_customer_info: false, customer_data: masked });
  const payment = await stage.runtime.eventStore.load(`payment.test-${paid.json.payment_id}`);
  expect(payment[0]?.metadata.subject_ids).toEqual(events[0]?.metadata.subject_ids);
  expect(JSON.stringify(payment)).not.toMatch(/ada@example|lovelace|\+44 20/i);
});

test.each([
  ['onramp', { onramp: true }],
  ['payer_service_charge', { payer_service_charge: true }],
  ['expires_at', { expires_at: '2020-01-01T00:00:00Z' }],
  ['expires_at', { expires_at: '9999-01-01T00:00:00Z' }],
])('%s that cannot be is refused by its name', async (field, body) => {
  const { status, json } = await create(body);
  expect([status, json.details.fields[0].field]).toEqual([400, field]);
});

test('no link without a wallet, and none above the maximum, in any currency', async () => {
  const no_wallet = await create({}, { wallet: null });
  const large = await create({ amount: 1_000_000, currency: 'EUR' });
  expect([no_wallet.status, no_wallet.json.code]).toEqual([409, 'wallet_not_ready']);
  expect([large.status, large.json.code]).toEqual([422, 'amount_too_large']);
});

test('the same request again is the same link', async () => {
  const repeat = { command_id: 'c-1', id_seed: 'ab'.repeat(16) };
  const [first, again] = [await create({}, repeat), await create({}, repeat)];
  expect(again.text).toBe(first.text);
});

test('the list has the merchant’s own, newest first, with what was paid by each', async () => {
  const shop = { ...OWNER, merchant_id: 'm-list' };
  const codes: string[] = [];
  let min_position = '';
  for (const max_uses of [undefined, 2, undefined]) {
    const { json, headers } = await create({ max_uses }, shop);
    codes.unshift(json.link_code);
    min_position = headers['x-tender-position'] as string;
    stage.advance(1);
  }
  for (const code of codes.slice(1)) {
    await stage.send('POST', `/api/v1/payment-links/${code}/pay`, stage.caller());
  }
  await stage.settle();
  const { json, headers } = await get('?limit=2', { ...shop, min_position });
  expect(headers['x-total-count']).toBe('3');
  expect(json).toMatchObject([
    { link_code: codes[0], uses_count: 0, metadata: {} },
    { link_code: codes[1], uses_count: 1, max_uses: 2 },
  ]);
  const [last] = (await get('?offset=2', shop)).json;
  expect(last).toMatchObject({ link_code: codes[2], uses_count: 1, max_uses: null });
});

test('another merchant’s, the other mode’s and unknown ones do not exist', async () => {
  const { json } = await create({});
  const other = json.link_code.slice(0, -1) + (json.link_code.endsWith('0') ? '1' : '0');
  const answers = await Promise.all([
    get(`/${json.id}`, { ...OWNER, merchant_id: 'm2' }),
    get(`/${json.id}`, { ...OWNER, mode: 'live' }),
    get(`/${json.link_code}`, { mode: 'live' }),
    get(`/${other}`),
    get(`/t${'z'.repeat(22)}`),
  ]);
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(answers[0]).toMatchObject({ status: 404, json: { code: 'payment_link_not_found' } });
});
