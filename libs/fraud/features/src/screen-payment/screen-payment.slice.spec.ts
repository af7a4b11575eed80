import { checkSanctions, screenPayment, type ScreeningRequest } from '@tender/contracts';
import type { Mode } from '@tender/kernel';
import type { ContextStage } from '@tender/runtime/testing';
import { blockEntry } from '../block-list/block-entry.aggregate';
import { fraudStage } from '../testing/fraud-stage';
import { newOrder } from '../testing/order';
import { Screener } from './screener';
import { SCREENER } from './screener.token';
import { valueHash } from './value-hash';

let stage: ContextStage;
let ids = 0;

beforeAll(async () => {
  stage = await fraudStage();
});
afterAll(() => stage?.close());

const screen = async (request: ScreeningRequest, mode: Mode = 'test', of = stage) => {
  const asking = { mode, correlation_id: of.runtime.random.uuid(), command_id: `c-${(ids += 1)}` };
  const answer = await of.runtime.calls.ask(screenPayment, request, asking);
  if (!answer.ok) throw new Error(answer.refusal);
  return answer.value;
};
const flags = (where = 'true') =>
  stage.runtime.readModels.query<{ state: { terms: Record<string, unknown> } }>(
    `select state from fraud.flags where ${where} order by created_at`,
  );
const PASS = { score: 0, action: 'pass', reasons: [] };

test('an ordinary order passes', async () => {
  expect(await screen(newOrder())).toEqual(PASS);
});

test('of the first order what it is screened by is in memory: the log and the tables were read before', async () => {
  const fresh = await fraudStage();
  const { eventStore } = fresh.runtime;
  const followed: string[] = [];
  const follow = eventStore.follow.bind(eventStore);
  eventStore.follow = (options) => {
    followed.push(options.name);
    return follow(options);
  };
  const verdict = await screen(newOrder(), 'test', fresh);
  await fresh.close();
  expect([verdict, followed]).toEqual([PASS, []]);
});

test.each([
  ['shop+score70@tender.test', 70, 'review'],
  ['Shop+Score90@Tender.test', 90, 'block'],
])('%s scores %i: %s, recorded before it is answered', async (customer_email, score, action) => {
  const order = newOrder({ customer_email });
  expect(await screen(order)).toEqual({ score, action, reasons: ['test_identity'] });
  await stage.settle();
  const [raised] = await flags(`payment_id = '${order.payment.id}'`);
  expect(raised?.state.terms).toMatchObject({
    ...{ score, action, stage: 'create', rule: 'test_identity', customer_wallet: null },
    payment: action === 'block' ? null : { id: order.payment.id },
  });
});

test('the sixth payment of an e-mail, and of a wallet, weighs; the same payment again does not', async () => {
  const wallet = {
    stage: 'build',
    customer_wallet: 'W1',
    customer_email: 'five@example.com',
  } as const;
  for (let order = 0; order < 5; order += 1) {
    const asked = newOrder(wallet);
    expect([await screen(asked), await screen(asked)]).toEqual([PASS, PASS]);
  }
  const sixth = await screen(newOrder(wallet));
  expect(sixth).toEqual({
    score: 65,
    action: 'review',
    reasons: ['velocity_wallet', 'velocity_email'],
  });
  stage.advance(61 * 60 * 1000);
  const later = await screen(newOrder(wallet));
  expect(later.reasons).toEqual(['velocity_email']);
});

test('payments that come at once count for each other', async () => {
  // A merchant that fraud hears of first: what it is usually paid has to be read, and all wait for that.
  const order = () =>
    newOrder({ stage: 'build', customer_wallet: 'W-at-once', merchant_id: 'm-at-once' });
  const verdicts = await Promise.all(Array.from({ length: 8 }, () => screen(order())));
  const weighed = verdicts.filter(({ reasons }) => reasons.includes('velocity_wallet'));
  expect(weighed.length).toBeGreaterThanOrEqual(3);
});

test('at create the address is the merchant’s server: it is counted nowhere', async () => {
  const client_address = '198.51.100.7';
  for (let order = 0; order < 12; order += 1) {
    expect(await screen(newOrder({ client_address }))).toEqual(PASS);
  }
  for (let order = 0; order < 10; order += 1) {
    await screen(newOrder({ client_address, stage: 'build', customer_wallet: `W-ip-${order}` }));
  }
  const eleventh = newOrder({ client_address, stage: 'build', customer_wallet: 'W-ip-11' });
  expect((await screen(eleventh)).reasons).toEqual(['velocity_ip']);
});

test('by a link the customer creates: the address counts then, and once for a payment that is built later', async () => {
  const client_address = '198.51.100.8';
  const byLink = () => newOrder({ asked_by: 'customer', client_address });
  for (let order = 0; order < 9; order += 1) expect(await screen(byLink())).toEqual(PASS);
  const tenth = byLink();
  const build = { ...tenth, stage: 'build', customer_wallet: 'W-by-link' } as const;
  expect([await screen(tenth), await screen(build)]).toEqual([PASS, PASS]);
  const eleventh = { score: 25, action: 'pass', reasons: ['velocity_ip'] };
  expect(await screen(byLink())).toEqual(eleventh);
  const elsewhere = newOrder({ asked_by: 'customer', client_address: '198.51.100.9' });
  expect(await screen(elsewhere)).toEqual(PASS);
  // Another replica, or this one started again, knows of them from the table.
  await stage.app.get<Screener>(SCREENER).writer.flush();
  const replica = new Screener(stage.runtime);
  const asked = { mode: 'test', correlation_id: 'x', command_id: null } as const;
  expect(await replica.screen(byLink(), asked)).toMatchObject({ value: eleventh });
  await replica.close();
});

test('an amount far above what the merchant is usually paid weighs, from its 20th payment on', async () => {
  const merchant_id = 'm-norm';
  const large = () => newOrder({ merchant_id, amount_usd_cents: '100001' });
  for (let order = 0; order < 19; order += 1) await screen(newOrder({ merchant_id }));
  expect(await screen(newOrder({ merchant_id, amount_usd_cents: '10000' }))).toEqual(PASS);
  expect((await screen(large())).reasons).toEqual(['amount_above_norm']);
  expect(await screen(newOrder({ merchant_id, amount_usd_cents: '100000' }))).toEqual(PASS);
});

test('a wallet’s first payment weighs from 1,000 USD on, until one was confirmed', async () => {
  const order = () =>
    newOrder({ stage: 'build', customer_wallet: 'W-new', amount_usd_cents: '100000' });
  expect((await screen(order())).reasons).toEqual(['first_payment_high_value']);
  const { payment } = order();
  const data = { payment: { ...payment, customer_wallet: 'W-new' }, webhook_url: null };
  await stage.say(`payment.test-${payment.id}`, 'payments.payment-confirmed.v1', data);
  await stage.settle();
  expect(await screen(order())).toEqual(PASS);
});

test('a blocked wallet blocks no other, and is judged again', async () => {
  await block('wallet', 'W-bad');
  const order = newOrder({ stage: 'build', customer_wallet: 'W-bad' });
  expect(await screen(order)).toMatchObject({
    score: 100,
    action: 'block',
    reasons: ['list_wallet'],
  });
  expect(await screen({ ...order, customer_wallet: 'W-good' })).toEqual(PASS);
  const submit = { ...order, stage: 'submit' } as const;
  expect((await screen({ ...submit, customer_wallet: 'W-good' })).action).toBe('pass');
  expect((await screen(submit)).action).toBe('block');
});

test('a block of what is to be stored only if it passes leaves no payment, whatever the stage', async () => {
  await block('wallet', 'W-of-intent');
  const order = newOrder({ stage: 'build', customer_wallet: 'W-of-intent' });
  expect((await screen({ ...order, is_to_be_stored: true })).action).toBe('block');
  await stage.settle();
  const [raised] = await flags(`payment_id = '${order.payment.id}'`);
  expect(raised?.state.terms).toMatchObject({ stage: 'build', action: 'block', payment: null });
});

test('live needs a fresh list: the sample counts on a local chain, and nowhere else', async () => {
  expect(await screen(newOrder(), 'live')).toEqual(PASS);
  const world = await fraudStage({
    ports: { chains: { test: { network: 'devnet' }, live: { network: 'mainnet-beta' } } as never },
  });
  await expect(screen(newOrder(), 'live', world)).rejects.toThrow('screening_unavailable');
  await expect(screen(newOrder({ stage: 'build' }), 'live', world)).rejects.toThrow(
    'screening_unavailable',
  );
  expect(await screen(newOrder({ stage: 'submit' }), 'live', world)).toEqual(PASS);
  expect(await screen(newOrder(), 'test', world)).toEqual(PASS);
  expect(await checked(newOrder().payment.wallet_address, 'live', world)).toBeNull();
  await world.close();
});

test('a sanctioned wallet is blocked at create and build, a merchant’s or a customer’s, and not at submit', async () => {
  const listed = '6HyMjBe695LZU9M2mV4Hxpf5n9MtmQ9t7EQGnDNNKEXv';
  const order = newOrder({ stage: 'build', customer_wallet: listed });
  expect(await screen(order)).toEqual({
    ...{ score: 100, action: 'block', reasons: ['sanctions_customer_wallet'] },
  });
  expect(await screen({ ...order, stage: 'submit' })).toEqual(PASS);
  const { payment } = newOrder();
  const shop = { ...newOrder(), payment: { ...payment, wallet_address: listed } };
  expect((await screen(shop)).reasons).toEqual(['sanctions_merchant_wallet']);
  // Letters of base58 have a case.
  const other_case = newOrder({ stage: 'build', customer_wallet: listed.toLowerCase() });
  expect(await screen(other_case)).toEqual(PASS);
});

test('of a wallet that money is to go to it says whether it is sanctioned', async () => {
  expect(await checked('6HyMjBe695LZU9M2mV4Hxpf5n9MtmQ9t7EQGnDNNKEXv')).toEqual({ sanctioned: true });
  expect(await checked(newOrder().payment.wallet_address)).toEqual({ sanctioned: false });
});

function checked(wallet: string, mode: Mode = 'live', asked = stage) {
  const { calls, random } = asked.runtime;
  return calls.ask(checkSanctions, { wallet }, { mode, correlation_id: random.uuid() });
}

async function block(kind: 'wallet', value: string) {
  const { runtime } = stage;
  const entry = {
    ...{ entry_id: `e-${value}`, kind, value_hash: valueHash(runtime.keyRing, kind, value) },
    ...{ subject_id: 's', value_sealed: '', note: null, created_at: '2026-01-01T00:00:00.000Z' },
  };
  const command = { type: 'AddEntry', entry, reason: 'a test' } as const;
  await blockEntry.handle(runtime, 'all', entry.entry_id, command, {
    ...{ command_id: `c-${value}`, body_hash: null, merchant_id: null, actor: 'admin' },
    ...{ correlation_id: 'x', causation_id: null },
  });
  const { memory } = stage.app.get<Screener>(SCREENER);
  await memory.entries_copy.upToDate();
}
