import { setTimeout as sleep } from 'node:timers/promises';
import type { ContextStage } from '@tender/runtime/testing';
import type { KnownSubscription } from '@tender/billing-domain';
import { subscription } from '../subscriptions/subscription.aggregate';
import { DAY_MS, givenSubscription } from '../testing/a-subscription';
import { billingStage } from '../testing/billing-stage';
import { playPayments, type PlayedPayments } from '../testing/played-payments';

let stage: ContextStage;
let payments: PlayedPayments;
beforeAll(async () => {
  stage = await billingStage();
  payments = playPayments(stage);
});
afterAll(() => stage?.close());
beforeEach(() => void (payments.refusal = null));

const idOf = ({ terms }: KnownSubscription): string => terms.subscription_id;
const now = async (of: KnownSubscription) => {
  const known = await subscription.load(stage.runtime, 'test', idOf(of));
  if (!known) throw new Error('it is gone');
  return known;
};
const cancel = async (of: KnownSubscription) => {
  const at = new Date(stage.runtime.clock.now()).toISOString();
  const how = { cancel_at_period_end: false, cancellation_reason: null };
  const command = { type: 'CancelSubscription', ...how, now: at } as const;
  const origin = {
    ...{ command_id: stage.runtime.random.uuid(), body_hash: null, merchant_id: 'm1' },
    ...{ actor: 'key:k1', correlation_id: 'corr', causation_id: null },
  };
  const handled = await subscription.handle(stage.runtime, 'test', idOf(of), command, origin);
  expect(handled.ok).toBe(true);
};

test('what is due gets one link that stands for it alone, one payment, and is known by them', async () => {
  const created = await givenSubscription(stage);
  await stage.settle();
  const link = payments.linkOf(idOf(created));
  expect(link.claim).toEqual({
    ...{ merchant_id: 'm1', amount: 29.99, currency: 'USD', description: 'Gold' },
    metadata: {
      subscription_id: idOf(created),
      period_start: created.calendar.start,
      period_end: created.calendar.end,
    },
    ...{ is_for_one_thing: true, expires_at: created.charge?.expires_at },
    payments_expire_at: created.charge?.expires_at,
  });
  expect(link.payment_ids).toHaveLength(1);
  expect((await now(created)).opened?.payment_link_id).toBe(link.payment_link_id);
});

test('a confirmed payment of the link pays the period; heard again, or with another payment, it counts once', async () => {
  const created = await givenSubscription(stage);
  await stage.settle();
  const link = payments.linkOf(idOf(created));
  const at = new Date(stage.runtime.clock.now()).toISOString();
  await payments.confirm(link, { payment_id: 'pay_test_a', at });
  await stage.settle();
  await payments.confirm(link, { payment_id: 'pay_test_a' });
  await payments.confirm(link, { payment_id: 'pay_test_b' });
  await stage.settle();
  expect(await now(created)).toMatchObject({
    cycles_completed: 1,
    paid_by: { payment_id: 'pay_test_a', paid_at: at },
  });
});

test('a payment of a merchant’s own link is none of billing’s, whatever its metadata says', async () => {
  const created = await givenSubscription(stage);
  await stage.settle();
  const link = payments.linkOf(idOf(created));
  const payment_link_id = '00000000-0000-8000-8000-ffffffffffff';
  await payments.confirm({ ...link, payment_link_id, payment_ids: [] });
  await payments.confirm({ ...link, payment_link_id: null as never }, { payment_id: 'pay_test_c' });
  await stage.settle();
  expect(await now(created)).toMatchObject({ cycles_completed: 0, paid_by: null });
});

test('an attempt whose time is over is followed by another; money of the first pays, and the second is closed', async () => {
  const created = await givenSubscription(stage);
  await stage.settle();
  const first = payments.linkOf(idOf(created));
  stage.advance(DAY_MS);
  await stage.settle();
  const second = payments.linkOf(idOf(created));
  expect(second.payment_link_id).not.toBe(first.payment_link_id);
  expect(await now(created)).toMatchObject({ status: 'PastDue', charge: { attempt: 2 } });
  await payments.confirm(first);
  await stage.settle();
  expect(await now(created)).toMatchObject({ status: 'Active', cycles_completed: 1 });
  expect([first.is_closed, second.is_closed]).toEqual([true, true]);
});

const DAYS_OF_ATTEMPTS = [1, 2, 2, 2];

test.each([0, 3])('paid in time by attempt %i, and heard of long after its end: that attempt has not failed', async (attempts) => {
  const created = await givenSubscription(stage);
  await stage.settle();
  for (const days of DAYS_OF_ATTEMPTS.slice(0, attempts)) {
    stage.advance(days * DAY_MS);
    await stage.settle();
  }
  const link = payments.linkOf(idOf(created));
  const { status, charge } = await now(created);
  expect(charge?.attempt).toBe(attempts + 1);
  payments.chain_lag_ms = 10 * DAY_MS;
  stage.advance(3 * DAY_MS);
  await stage.settle();
  expect(await now(created)).toMatchObject({ status, charge });
  payments.chain_lag_ms = 0;
  await payments.confirm(link, { at: charge?.expires_at as string });
  await stage.settle();
  expect(await now(created)).toMatchObject({ status: 'Active', cycles_completed: 1 });
  expect(payments.linkOf(idOf(created))).toBe(link);
});

test('an attempt fails as soon as payments says that its payment has expired, once, however often that is heard', async () => {
  const created = await givenSubscription(stage);
  await stage.settle();
  const link = payments.linkOf(idOf(created));
  payments.chain_lag_ms = 60_000;
  stage.advance(DAY_MS + 30_000);
  await stage.settle();
  expect(await now(created)).toMatchObject({ status: 'Active', charge: { attempt: 1 } });
  stage.advance(60_000);
  await payments.expire(link);
  await payments.expire(link);
  await stage.settle();
  payments.chain_lag_ms = 0;
  const { status, charge } = await now(created);
  expect([status, charge?.attempt, charge?.due_at]).toEqual(['PastDue', 2, created.charge?.expires_at]);
});

test('what is dropped is charged no more: its link is closed, and that of a charge that comes too late', async () => {
  const created = await givenSubscription(stage);
  await stage.settle();
  await cancel(created);
  await stage.settle();
  expect(payments.linkOf(idOf(created)).is_closed).toBe(true);

  const { promise: given, resolve } = Promise.withResolvers<KnownSubscription>();
  payments.meanwhile = async () => cancel(await given);
  const dropped = await givenSubscription(stage);
  resolve(dropped);
  await stage.settle();
  expect(payments.linkOf(idOf(dropped)).is_closed).toBe(true);
  expect((await now(dropped)).opened).toBeNull();
});

test('money that comes after the end still counts, and the ended state stays', async () => {
  const created = await givenSubscription(stage);
  await stage.settle();
  await cancel(created);
  await payments.confirm(payments.linkOf(idOf(created)));
  await stage.settle();
  expect(await now(created)).toMatchObject({ status: 'Cancelled', cycles_completed: 1 });
});

test('a payment that cannot be begun now keeps no link and no other payment waiting, and is begun once it can', async () => {
  const held = await givenSubscription(stage);
  payments.unpayable.add(idOf(held));
  const other = await givenSubscription(stage);
  await stage.settle();
  const first = payments.linkOf(idOf(held));
  expect(payments.linkOf(idOf(other)).payment_ids).toHaveLength(1);
  stage.advance(DAY_MS);
  await stage.settle();
  const second = payments.linkOf(idOf(held));
  expect((await now(held)).opened).toMatchObject({ payment_link_id: second.payment_link_id });
  payments.unpayable.clear();
  while (second.payment_ids.length === 0) await sleep(20);
  expect(first.payment_ids).toEqual([]);
});

test('a charge that payments refuses holds up nothing, and is tried anew when its time is over', async () => {
  payments.refusal = 'wallet_not_ready';
  const created = await givenSubscription(stage);
  await stage.settle();
  expect((await now(created)).opened).toBeNull();
  payments.refusal = null;
  stage.advance(DAY_MS);
  await stage.settle();
  expect(await now(created)).toMatchObject({
    ...{ status: 'PastDue', charge: { charge_number: 2 } },
    opened: { payment_link_id: payments.linkOf(idOf(created)).payment_link_id },
  });
});

test('a charge that comes too late to be opened fails like any other: attempts go on to the end', async () => {
  const created = await givenSubscription(stage);
  // As payments refuses a time that does not lie ahead.
  payments.refusal = 'invalid_parameter';
  for (const [index, days] of DAYS_OF_ATTEMPTS.entries()) {
    await stage.settle();
    const { charge, opened } = await now(created);
    expect([charge?.attempt, opened]).toEqual([index + 1, null]);
    stage.advance(days * DAY_MS);
  }
  await stage.settle();
  expect(await now(created)).toMatchObject({
    ...{ status: 'Cancelled', cancellation_reason: 'payment_failed' },
    charge: { charge_number: 4 },
  });
});
