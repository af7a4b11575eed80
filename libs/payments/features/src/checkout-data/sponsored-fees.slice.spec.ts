import { showPayment } from '@tender/contracts';
import { Unavailable } from '@tender/eventing';
import type { ContextStage } from '@tender/runtime/testing';
import { paymentsStage } from '../testing/payments-stage';
import { SponsoredFees } from './sponsored-fees';

const OWNER = { merchant_id: 'm1', merchant_name: 'Corner Shop', wallet: 'W1', actor: 'key:k1' };

/** What treasury answers in test; it pays in live. Null: nothing, as where it is away. */
let pays: boolean | null = true;
/** How often it was asked. */
let asked = 0;
/** Wall time, which passes where a test says so. */
const clock = { ms: Date.now(), now: () => clock.ms, wall: () => clock.ms };
let stage: ContextStage;
beforeAll(async () => {
  stage = await paymentsStage({ clock }, {}, undefined, async (_, { mode }) => {
    asked += 1;
    if (pays === null) throw new Unavailable('treasury');
    return { pays: mode === 'live' || pays };
  });
});
afterAll(() => stage?.close());

const shownIn = async (mode: 'test' | 'live') => {
  const owner = stage.caller({ ...OWNER, mode });
  const { id } = (await stage.send('POST', '/api/v1/payments', owner, { amount: 5 })).json;
  const path = `/api/v1/payments/${id}/checkout-data`;
  const { json } = await stage.send('GET', path, stage.caller({ mode }));
  const asking = { mode, correlation_id: stage.runtime.random.uuid() };
  const page = await stage.runtime.calls.ask(showPayment, { payment_id: id }, asking);
  expect(page?.allow_gasless).toBe(json.allow_gasless);
  return json.allow_gasless as boolean;
};
const hear = (answer: boolean | null) => {
  pays = answer;
  return stage.app.get(SponsoredFees).ask();
};

test('fees are offered to a customer in the modes in which treasury pays them', async () => {
  await hear(true);
  expect([await shownIn('test'), await shownIn('live')]).toEqual([true, true]);
  await hear(false);
  expect([await shownIn('test'), await shownIn('live')]).toEqual([false, true]);
});

test('a look that fails changes nothing for a while, and is followed by the next sooner', async () => {
  const rest_ms = await hear(true);
  expect(await hear(null)).toBeLessThan(rest_ms);
  expect([await shownIn('test'), await shownIn('live')]).toEqual([true, true]);
  await hear(false);
  await hear(null);
  expect([await shownIn('test'), await shownIn('live')]).toEqual([false, true]);
});

test('an answer that is a minute old counts for nothing, until treasury answers again', async () => {
  await hear(true);
  clock.ms += 60_001;
  await hear(null);
  expect([await shownIn('test'), await shownIn('live')]).toEqual([false, false]);
  await hear(true);
  expect([await shownIn('test'), await shownIn('live')]).toEqual([true, true]);
});

test('the service asks treasury less often while no customer looks at a checkout', async () => {
  await hear(true);
  const at_rest_ms = await hear(true);
  await shownIn('test');
  expect(await hear(true)).toBeLessThan(at_rest_ms);
});

test('a customer who looks asks treasury nothing', async () => {
  await hear(true);
  await stage.app.get(SponsoredFees).onModuleDestroy();
  const before = asked;
  await Promise.all(Array.from({ length: 20 }, () => shownIn('test')));
  expect(asked).toBe(before);
});

test('customers who look at an old answer have treasury asked again, once for all of them', async () => {
  const fees = stage.app.get(SponsoredFees);
  const untilPaid = async (are_paid: boolean) => {
    while (fees.arePaid('test') !== are_paid) await new Promise((resolve) => setTimeout(resolve, 10));
  };
  await hear(false);
  pays = true;
  fees.onApplicationBootstrap();
  await untilPaid(true);
  const before = asked;
  pays = false;
  expect(await shownIn('test')).toBe(true);
  clock.ms += 5_000;
  await untilPaid(false);
  await Promise.all(Array.from({ length: 20 }, () => shownIn('test')));
  expect(asked - before).toBe(2);
});
