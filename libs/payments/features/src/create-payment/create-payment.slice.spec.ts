import { NetworkRefused, Unavailable, type RateSymbol } from '@tender/eventing';
import type { ContextStage } from '@tender/runtime/testing';
import { paymentsStage } from '../testing/payments-stage';

const WALLET = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin';
const MERCHANT = {
  merchant_id: 'm1',
  merchant_name: 'Corner Shop',
  wallet: WALLET,
  actor: 'key:k1' as const,
};
const RATES: Record<string, string> = { EUR: '1.08', GBP: '1.27', SOL: '150' };

let stage: ContextStage;
let is_rate_stale = false;
let refused_url: string | null = null;

beforeAll(async () => {
  stage = await paymentsStage({
    rates: {
      quote: async (symbol: RateSymbol) => {
        if (is_rate_stale) throw new Unavailable('rates', { reason: 'stale' });
        const rate = RATES[symbol] as string;
        return { rate, source: 'test', as_of: '2026-01-01T00:00:00.000Z' };
      },
    },
    outbound: { refusal: async () => refused_url } as never,
  });
});
afterAll(() => stage?.close());

const create = (body: object, changes: object = {}) =>
  stage.send('POST', '/api/v1/payments', stage.caller({ ...MERCHANT, ...changes }), body);
const get = (path: string, changes: object = {}) =>
  stage.send('GET', `/api/v1/payments${path}`, stage.caller({ ...MERCHANT, ...changes }));

test('answers every field of the table, and the names of the earlier variant', async () => {
  const { status, json } = await create({ amount: 10.5, description: 'Order 42' });
  expect(status).toBe(200);
  expect(json).toEqual({
    id: expect.stringMatching(/^pay_test_[0-9A-Za-z]{22}$/) as string,
    payment_id: json.id,
    merchant_id: 'm1',
    amount: 10.5,
    amount_usd: 10.5,
    currency: 'USD',
    exchange_rate: null,
    payment_token: 'USDC',
    token: 'USDC',
    token_amount: '10500000',
    token_mint: 'MintUsdc',
    status: 'pending',
    description: 'Order 42',
    payment_url: `http://pay.test/p/${json.id}`,
    qr_code: expect.stringContaining('&label=Corner%20Shop&message=Order%2042') as string,
    reference: expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/) as string,
    wallet_address: WALLET,
    expires_at: expect.any(String) as string,
    metadata: {},
    mode: 'test',
    created_at: expect.any(String) as string,
    transaction_signature: null,
    confirmed_at: null,
    customer_wallet: null,
    splits: null,
    external_id: null,
    return_url: null,
    cancel_url: null,
    payment_link_id: null,
    link_code: null,
    payment_intent_id: null,
  });
  const lifetime_ms = Date.parse(json.expires_at) - Date.parse(json.created_at);
  expect(lifetime_ms).toBe(900_000);
});

test('EUR into SOL: converted once, rounded up', async () => {
  const { json } = await create({ amount: 10.01, currency: 'EUR', token: 'SOL' });
  expect(json).toMatchObject({
    ...{ amount: 10.01, amount_usd: 10.81, exchange_rate: 1.08, token_mint: null },
    token_amount: '72072000',
  });
  expect(json.qr_code).toContain('?amount=0.072072&reference=');
});

test('the same request again is the same payment; another body is refused', async () => {
  const repeat = { command_id: 'c-1', id_seed: 'ab'.repeat(16) };
  const first = await create({ amount: 3 }, repeat);
  const again = await create({ amount: 3 }, repeat);
  expect([again.status, again.text]).toEqual([200, first.text]);
  const other = await create({ amount: 4 }, { ...repeat, body_hash: 'another body' });
  expect([other.status, other.json.code]).toEqual([409, 'idempotency_key_reused']);
});

test('a key used again after a day is another request', async () => {
  const repeat = { command_id: 'c-2', id_seed: 'cd'.repeat(16) };
  const first = await create({ amount: 3 }, repeat);
  stage.advance(25 * 3600 * 1000);
  const next_day = await create({ amount: 4 }, { ...repeat, body_hash: 'another body' });
  expect([next_day.status, next_day.json.amount]).toEqual([200, 4]);
  expect(next_day.json.id).not.toBe(first.json.id);
  const again = await create({ amount: 4 }, { ...repeat, body_hash: 'another body' });
  expect(again.text).toBe(next_day.text);
});

test('what cannot be created says why, and nothing is stored', async () => {
  await stage.settle();
  const before = await get('');
  const large = await create({ amount: 1_000_000 });
  expect([large.status, large.json.code]).toEqual([422, 'amount_too_large']);
  expect(large.json.details).toEqual({ amount_max_usd: 999_999.99 });
  const no_wallet = await create({ amount: 1 }, { wallet: null });
  expect([no_wallet.status, no_wallet.json.code]).toEqual([409, 'wallet_not_ready']);
  const split = await create({ amount: 1, split_recipients: [] });
  expect([split.status, split.json.details.fields[0].field]).toEqual([400, 'split_recipients']);
  refused_url = 'points into our own network';
  const hook = await create({ amount: 1, webhook_url: 'http://10.0.0.1/' });
  refused_url = null;
  expect([hook.status, hook.json.details.fields[0].field]).toEqual([400, 'webhook_url']);
  is_rate_stale = true;
  const stale = await create({ amount: 1, currency: 'GBP' });
  is_rate_stale = false;
  expect([stale.status, stale.json.code]).toEqual([503, 'service_unavailable']);
  await stage.settle();
  expect((await get('')).json.pagination.total).toBe(before.json.pagination.total);
});

test('a mode whose network is not taken takes no orders, in no token; the other mode does', async () => {
  const live = jest.spyOn(stage.runtime.chains.live, 'mints', 'get');
  live.mockImplementation(() => {
    throw new NetworkRefused('name another node');
  });
  for (const token of ['USDC', 'SOL']) {
    const order = { amount: 1, token };
    expect((await create(order, { mode: 'live' })).status).toBe(503);
    expect((await create(order)).status).toBe(200);
  }
  live.mockRestore();
  expect((await create({ amount: 1 }, { mode: 'live' })).status).toBe(200);
});

test('an e-mail is in no event in clear', async () => {
  const { json } = await create({ amount: 1, customer_email: ' Ada@Example.com ' });
  const events = await stage.runtime.eventStore.load(`payment.test-${json.id}`);
  expect(events[0]?.metadata.subject_ids).toHaveLength(1);
  expect(JSON.stringify(events).toLowerCase()).not.toContain('ada@example.com');
  expect(JSON.stringify(events)).not.toContain('Corner Shop');
});

test('a GET by id right after shows it alike from the stream and from the row', async () => {
  const created = await create({ amount: 2, metadata: { b: 1, a: [1.5, 'x'] } });
  const { payment_id, token: _, ...payment } = created.json;
  const min_position = created.headers['x-tender-position'] as string;
  const from_stream = await get(`/${payment_id}`, { min_position });
  await stage.settle();
  const from_row = await get(`/${payment_id}`, { min_position });
  expect(from_stream.json).toEqual(payment);
  expect(from_row.json).toEqual(payment);
});

test('another merchant, the other mode and an unknown id get the same 404', async () => {
  const { json } = await create({ amount: 2 });
  await stage.settle();
  const answers = await Promise.all([
    get(`/${json.id}`, { merchant_id: 'm2' }),
    get(`/${json.id}`, { mode: 'live' }),
    get(`/pay_test_${'0'.repeat(22)}`),
    get('/constructor'),
    get(`/${json.id}/receipts`, { merchant_id: 'm2' }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
});

test('the list is the merchant’s own, newest first, cut as asked', async () => {
  const shop = { merchant_id: 'm-list' };
  const ids: string[] = [];
  let min_position = '';
  for (let amount = 1; amount <= 5; amount += 1) {
    const { json, headers } = await create({ amount }, shop);
    ids.unshift(json.id);
    min_position = headers['x-tender-position'] as string;
    stage.advance(1);
  }
  const all = await get('', { ...shop, min_position });
  expect(all.json.data.map(({ id }: { id: string }) => id)).toEqual(ids);
  expect(all.headers['x-svc-stale']).toBeUndefined();
  expect(all.json.pagination).toEqual({ limit: 20, offset: 0, total: 5, has_more: false });
});

test('what the shop says of its order is shown again, and finds it', async () => {
  const shop = { merchant_id: 'm-external' };
  const urls = { return_url: 'https://s.test/done', cancel_url: 'https://s.test/cart' };
  const wanted = await create({ amount: 1, external_id: 'o-1', ...urls }, shop);
  const other = await create({ amount: 1, external_id: 'o-2' }, shop);
  const plain = await create({ amount: 1 }, shop);
  expect(wanted.json).toMatchObject({ external_id: 'o-1', ...urls });
  await stage.settle();
  const found = async (external_id: string) =>
    (await get(`?external_id=${external_id}`, shop)).json.data.map(({ id }: { id: string }) => id);
  expect(await found('o-1')).toEqual([wanted.json.id]);
  expect(await found('o-2')).toEqual([other.json.id]);
  expect(await found('o-3')).toEqual([]);
  const stored = await stage.runtime.eventStore.load(`payment.test-${plain.json.id}`);
  expect(JSON.stringify(stored)).not.toContain('external_id');
  const [index] = await stage.runtime.readModels.query(
    "select 1 from pg_indexes where indexname = 'payment_details_by_external_id_g1'",
  );
  expect(index).toBeDefined();
});

test('an id that was answered is never 404, even without its position and without a row', async () => {
  const { json } = await create({ amount: 3 });
  const { payment_id: _, token: __, ...shown } = json;
  await stage.settle();
  await stage.runtime.readModels.query('delete from payments.payment_details where id = $1', [json.id]);
  const asked = { min_position: null };
  const [payment, receipts] = [await get(`/${json.id}`, asked), await get(`/${json.id}/receipts`, asked)];
  expect([payment.status, payment.json]).toEqual([200, shown]);
  expect([receipts.status, receipts.json]).toEqual([200, []]);
  expect((await get(`/${json.id}/status`, asked)).status).toBe(200);
});
