import { showLink, showPayment, type ScreeningRequest } from '@tender/contracts';
import { Unavailable, type EventStore } from '@tender/eventing';
import { done } from '@tender/kernel';
import type { ContextStage } from '@tender/runtime/testing';
import { fateOf, type Fate } from '../testing/payment-fates';
import { paymentsStage } from '../testing/payments-stage';

const WALLET = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin';
const OWNER = {
  ...{ merchant_id: 'm1', merchant_name: 'Corner Shop', wallet: WALLET },
  ...{ actor: 'key:k1', asker: { kind: 'key', key_id: 'k1' } as const },
};

let stage: ContextStage;
let fate: Fate;
/** While set, the log takes no payment: as for a process that dies once it has taken a use. */
let no_payments = false;
const BAD_ADDRESS = '203.0.113.66';
let is_fraud_away = false;
const screened: ScreeningRequest[] = [];

beforeAll(async () => {
  const rates = { quote: async () => ({ rate: '1.08', source: 'test', as_of: '2026-01-01T00:00:00.000Z' }) };
  const merchants = { poor: { wallet: null }, small: { amount_max: 500 } };
  const screen = async (order: ScreeningRequest) => {
    screened.push(order);
    if (is_fraud_away) throw new Unavailable('fraud', {});
    const is_bad = order.client_address === BAD_ADDRESS;
    return done({ score: is_bad ? 90 : 0, action: is_bad ? 'block' : 'pass', reasons: [] } as const);
  };
  stage = await paymentsStage({ rates: rates as never }, merchants, screen);
  fate = fateOf(stage);
  const { eventStore } = stage.runtime;
  const append = eventStore.append.bind(eventStore);
  eventStore.append = (...args: Parameters<EventStore['append']>) => {
    if (no_payments && args[0].startsWith('payment.')) throw new Unavailable('log', {});
    return append(...args);
  };
});
afterAll(() => stage?.close());

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- answers are what is under test
type Json = any;

const newLink = async (body: object = {}, changes: object = {}): Promise<Json> => {
  const caller = stage.caller({ ...OWNER, ...changes });
  return (await stage.send('POST', '/api/v1/payment-links', caller, { amount: 10, ...body })).json;
};
const pay = (name: string, changes: object = {}) =>
  stage.send('POST', `/api/v1/payment-links/${name}/pay`, stage.caller(changes));
const get = (path: string, changes: object = {}) =>
  stage.send('GET', `/api/v1/${path}`, stage.caller(changes));
const linkNow = async (name: string): Promise<Json> => (await get(`payment-links/${name}`)).json;
const paymentsOf = async (link: Json): Promise<Json[]> => {
  await stage.settle();
  const { json } = await get('payments?limit=100', OWNER);
  return json.data.filter(({ payment_link_id }: Json) => payment_link_id === link.id);
};
const typesIn = async (link: Json): Promise<string[]> => {
  const events = await stage.runtime.eventStore.load(`link.test-${link.id}`);
  return events.map(({ type }) => type);
};

test('answers what the customer needs to pay, the same as checkout-data does', async () => {
  const link = await newLink({ description: 'Order 42', external_id: 'o-42', metadata: { a: 1 } });
  const { status, json } = await pay(link.link_code);
  expect(status).toBe(201);
  expect(json).toEqual({
    payment_id: expect.stringMatching(/^pay_test_[0-9A-Za-z]{22}$/) as string,
    ...{ merchant_name: 'Corner Shop', merchant_id: 'm1', support_email: 'help@shop.test' },
    ...{ amount: 10, amount_usd: 10, currency: 'USD', token: 'USDC', token_amount: '10000000' },
    ...{ token_mint: 'MintUsdc', description: 'Order 42', wallet_address: WALLET },
    qr_code: expect.stringContaining('&label=Corner%20Shop&message=Order%2042') as string,
    payment_url: `http://pay.test/p/${json.payment_id}`,
    reference: expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/) as string,
    expires_at: expect.any(String) as string,
    ...{ status: 'pending', mode: 'test', solana_network: 'localnet' },
    ...{ onramp: false, amount_ngn: null, service_charge_ngn: null },
    ...{ payment_link_id: link.id, link_code: link.link_code },
    ...{ collect_customer_info: false, customer_data: null, allow_gasless: true },
  });
  expect((await get(`payments/${json.payment_id}/checkout-data`)).json).toEqual(json);
  const { json: own } = await get(`payments/${json.payment_id}`, OWNER);
  expect(own).toMatchObject({ external_id: 'o-42', metadata: { a: 1 }, payment_link_id: link.id });
});

test('100 who pay at once by a link for 5 make 5 payments; the answers to the others say when to come back', async () => {
  const link = await newLink({ max_uses: 5 });
  const answers = await Promise.all(Array.from({ length: 100 }, () => pay(link.link_code)));
  const made = answers.filter(({ status }) => status === 201);
  const gone = answers.filter(({ status }) => status === 410);
  expect([made.length, gone.length]).toEqual([5, 95]);
  expect(new Set(gone.map(({ json }) => json.code))).toEqual(new Set(['payment_link_exhausted']));
  for (const { headers } of gone) expect(Number(headers['retry-after'])).toBeGreaterThan(800);
  expect(await paymentsOf(link)).toHaveLength(5);
  expect(await linkNow(link.link_code)).toMatchObject({
    ...{ uses_count: 5, is_active: false, status: 'exhausted' },
  });
  await Promise.all(made.map(({ json }) => fate.confirm(json)));
  await stage.settle();
  const last = await pay(link.link_code);
  expect([last.status, last.headers['retry-after']]).toEqual([410, undefined]);
  expect((await paymentsOf(link)).map(({ status }) => status)).toEqual(Array(5).fill('confirmed'));
  const events = await stage.runtime.eventStore.load(`link.test-${link.id}`);
  const used = events.filter(({ type }) => type === 'PaymentLinkUsed');
  expect(used.map(({ data }) => (data as Json).uses_count)).toEqual(Array(5).fill(5));
});

test('its page tells uses that open payments hold from uses that are gone', async () => {
  const link = await newLink({ max_uses: 1 });
  const { calls } = stage.runtime;
  const asked = { mode: 'test', correlation_id: 'c1' } as const;
  const shown = () => calls.ask(showLink, { link_code: link.link_code }, asked);
  const { json: made } = await pay(link.link_code);
  const { payment_id } = made;
  expect(await shown()).toMatchObject({ status: 'held', free_at: made.expires_at });
  await stage.settle();
  expect(await calls.ask(showPayment, { payment_id }, asked)).toMatchObject({ link_status: 'held' });
  await fate.confirm(made);
  await stage.settle();
  expect(await shown()).toMatchObject({ status: 'exhausted', free_at: null });
  expect(await calls.ask(showPayment, { payment_id }, asked)).toMatchObject({ link_status: 'exhausted' });
});

test('a client who begins payments and pays none leaves most uses of a large link to others', async () => {
  const link = await newLink({ max_uses: 90 });
  const from = (client_address: string) => pay(link.link_code, { client_address });
  const answers = await Promise.all(Array.from({ length: 40 }, () => from('203.0.113.9')));
  const refused = answers.filter(({ status }) => status === 429);
  expect([answers.length - refused.length, refused.length]).toEqual([23, 17]);
  const [{ json, headers }] = refused as [(typeof refused)[0]];
  expect(json).toMatchObject({ code: 'too_many_open_payments', details: { open: 23 } });
  expect(Number(headers['retry-after'])).toBeGreaterThan(800);
  expect((await from('2001:db8::1')).status).toBe(201);
  expect(await linkNow(link.link_code)).toMatchObject({ uses_count: 24, is_active: true });
  const begun = answers.find(({ status }) => status === 201)?.json;
  await fate.confirm(begun);
  await stage.settle();
  expect((await from('203.0.113.9')).status).toBe(201);
  const stored = JSON.stringify(await stage.runtime.eventStore.load(`link.test-${link.id}`));
  expect(stored).not.toContain('203.0.113.9');
});

test('a use is free again when its payment expires, and never when it is confirmed', async () => {
  const link = await newLink({ max_uses: 1 });
  const first = await pay(link.id);
  expect((await pay(link.link_code)).status).toBe(410);
  await fate.expire(first.json);
  await stage.settle();
  expect(await linkNow(link.id)).toMatchObject({ uses_count: 0, is_active: true, status: 'active' });
  const second = await pay(link.id);
  expect(second.status).toBe(201);
  await fate.confirm(second.json);
  await stage.settle();
  expect(await linkNow(link.id)).toMatchObject({ uses_count: 1, is_active: false });
  expect(await typesIn(link)).toEqual([
    ...['PaymentLinkCreated', 'LinkUseHeld', 'LinkUseReleased', 'LinkUseHeld', 'PaymentLinkUsed'],
  ]);
});

test('a process that dies between the hold and the payment leaves one payment, and no lost hold', async () => {
  const link = await newLink({ max_uses: 1 });
  const request = { command_id: 'c-dies', id_seed: 'ef'.repeat(16) };
  no_payments = true;
  const died = await pay(link.link_code, request);
  expect([died.status, await typesIn(link)]).toEqual([503, ['PaymentLinkCreated', 'LinkUseHeld']]);
  no_payments = false;
  const payments = async () => (await paymentsOf(link)).map(({ id }) => id as string);
  while ((await payments()).length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  const [made] = await payments();
  const again = await pay(link.link_code, request);
  expect([again.status, again.json.payment_id]).toEqual([201, made]);
  expect(await payments()).toEqual([made]);
  const [created] = await stage.runtime.eventStore.load(`payment.test-${made}`);
  expect(created?.metadata.actor).toBe('public');
  await fate.confirm(again.json);
  await stage.settle();
  expect(await linkNow(link.link_code)).toMatchObject({ uses_count: 1, status: 'exhausted' });
});

test('a link without max_uses counts its payments, and none of them is written to its stream', async () => {
  const link = await newLink();
  const answers = await Promise.all(Array.from({ length: 12 }, () => pay(link.link_code)));
  expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(201));
  const [expired, ...others] = answers.map(({ json }) => json as Json);
  await fate.expire(expired);
  await fate.confirm(others[0]);
  await stage.settle();
  expect(await linkNow(link.link_code)).toMatchObject({ uses_count: 11, is_active: true });
  expect(await typesIn(link)).toEqual(['PaymentLinkCreated']);
  const [used] = await stage.runtime.eventStore.load(`linkuse.test-${others[0].payment_id}`);
  expect(used).toMatchObject({ type: 'PaymentLinkUsed', data: { uses_count: 11 } });
});

test('what fraud blocks, or is not asked in time, holds no use; the customer of the link is screened', async () => {
  const link = await newLink({ max_uses: 1, customer: { email: 'ada@example.com' } });
  const blocked = await pay(link.link_code, { client_address: BAD_ADDRESS });
  expect([blocked.status, blocked.json.code]).toEqual([402, 'payment_blocked']);
  expect(screened.at(-1)).toMatchObject({
    ...{ stage: 'create', customer_email: 'ada@example.com' },
    // The customer pays by a link, not the merchant’s server.
    ...{ client_address: BAD_ADDRESS, asked_by: 'customer' },
  });
  is_fraud_away = true;
  expect((await pay(link.link_code)).status).toBe(503);
  is_fraud_away = false;
  expect(await typesIn(link)).toEqual(['PaymentLinkCreated']);
  const before = screened.length;
  expect((await pay(link.link_code)).status).toBe(201);
  // What can make no payment is not screened.
  expect((await pay(link.link_code)).status).toBe(410);
  expect(screened.length).toBe(before + 1);
});

test('the price is that of the moment of the payment', async () => {
  const link = await newLink({ amount: 10.01, currency: 'EUR' });
  expect((await pay(link.link_code)).json).toMatchObject({ amount: 10.01, amount_usd: 10.81 });
});

test('a link past its time makes no payment; it can still be looked at', async () => {
  const expires_at = new Date(stage.runtime.clock.now() + 60_000).toISOString();
  const link = await newLink({ expires_at });
  expect((await pay(link.link_code)).status).toBe(201);
  stage.advance(60_000);
  const late = await pay(link.link_code);
  expect([late.status, late.json.code]).toEqual([410, 'payment_link_expired']);
  expect(await linkNow(link.link_code)).toMatchObject({ is_active: false, status: 'expired' });
});

test('no wallet, too much for the merchant, no such link', async () => {
  const poor = await newLink({}, { merchant_id: 'poor' });
  const small = await newLink({}, { merchant_id: 'small' });
  const limited = await newLink({ max_uses: 2 }, { merchant_id: 'small' });
  const answers = await Promise.all([
    pay(poor.link_code),
    pay(small.link_code),
    pay(limited.link_code),
    pay(`t${'0'.repeat(22)}`),
    pay('0a1b2c3d-4e5f-8071-8283-949596979898'),
  ]);
  expect(answers.map(({ status, json }) => [status, json.code])).toEqual([
    [409, 'wallet_not_ready'],
    [422, 'amount_too_large'],
    [422, 'amount_too_large'],
    [404, 'payment_link_not_found'],
    [404, 'payment_link_not_found'],
  ]);
  expect(await typesIn(limited)).toEqual(['PaymentLinkCreated']);
});
