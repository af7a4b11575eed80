import { openPaymentLink, payByLink } from '@tender/contracts';
import { NOBODY, subscriptionsStage, type SubscriptionsStage } from '../testing/subscriptions-stage';

let on: SubscriptionsStage;
beforeAll(async () => {
  on = await subscriptionsStage();
});
afterAll(() => on?.close());
beforeEach(() => void (on.payments.refusal = null));

const DAY_MS = 24 * 60 * 60 * 1000;
const pay = (id: string, as: object = {}) => on.ask('POST', `subscriptions/${id}/pay`, undefined, as);
const seen = async (id: string) => (await on.ask('GET', `subscriptions/${id}`)).json;

test('answers the whole payment of the current period, and in the period always the same', async () => {
  const { id } = await on.subscribe();
  const first = await pay(id, NOBODY);
  const { claim, payment_ids } = on.payments.linkOf(id);
  const [payment_id] = payment_ids;
  expect([first.status, first.json]).toEqual([
    201,
    {
      ...{ id: payment_id, payment_id, merchant_id: claim.merchant_id },
      subscription_id: id,
      period_start: (await seen(id)).current_period_start,
      period_end: (await seen(id)).current_period_end,
      ...{ payment_url: 'http://pay.test/p/1', qr_code: 'solana:W1', amount: 29.99 },
      ...{ currency: 'USD', payment_token: 'USDC', token: 'USDC', token_amount: '29990000' },
      ...{ status: 'pending', mode: 'test', expires_at: claim.payments_expire_at },
      ...{ reference: 'R1', wallet_address: 'W1', metadata: {} },
    },
  ]);
  const again = await pay(id);
  expect([again.status, again.text]).toEqual([201, first.text]);
  expect(on.payments.linkOf(id).payment_ids).toHaveLength(1);
});

test('a paid period is not due, and its subscription says when the next one is', async () => {
  const { id } = await on.subscribe();
  await pay(id);
  await on.payments.confirm(on.payments.linkOf(id));
  await on.stage.settle();
  const { status, json } = await pay(id);
  expect([status, json.code]).toEqual([409, 'payment_not_due']);
  const shown = await seen(id);
  expect(shown).toMatchObject({ cycles_completed: 1, payment_url: null });
  expect(shown.next_payment_attempt).toBe(shown.current_period_end);
});

test('one that is past due is paid and recovers, into the period that contains now', async () => {
  const { id } = await on.subscribe({ billing_interval: 'daily' });
  await on.stage.settle();
  on.stage.advance(2.5 * DAY_MS);
  await on.stage.settle();
  expect(await seen(id)).toMatchObject({ status: 'PastDue', cycles_completed: 0 });
  const { json } = await pay(id);
  await on.payments.confirm(on.payments.linkOf(id), { payment_id: json.payment_id });
  await on.stage.settle();
  const now = new Date(on.stage.runtime.clock.now()).toISOString();
  const recovered = await seen(id);
  expect(recovered).toMatchObject({ status: 'Active', cycles_completed: 1 });
  expect(recovered.current_period_start <= now && now < recovered.current_period_end).toBe(true);
});

test.each([
  [409, 'wallet_not_ready'],
  [422, 'amount_too_large'],
  [402, 'payment_blocked'],
] as const)('a charge that has no link yet gets it now; while payments refuses it, so does this: %i %s', async (status, code) => {
  on.payments.refusal = code;
  const { id, payment_url } = await on.subscribe();
  await on.stage.settle();
  expect(payment_url).toBeNull();
  const refused = await pay(id);
  expect([refused.status, refused.json.code]).toEqual([status, code]);
  on.payments.refusal = null;
  expect((await pay(id)).status).toBe(201);
});

/** Right after, or right before, that call is answered. */
function meanwhile(name: string, when: 'before' | 'after', act: () => Promise<unknown>) {
  const { calls } = on.stage.runtime;
  const ask = calls.ask.bind(calls);
  return jest.spyOn(calls, 'ask').mockImplementation(async (call, ...rest) => {
    if (call.name === name && when === 'before') await act();
    const answer = await ask(call as never, ...(rest as [never, never]));
    if (call.name === name && when === 'after') await act();
    return answer;
  });
}

test.each([
  ['cancel', 'subscription_already_cancelled'],
  ['pause', 'invalid_subscription_state'],
])('a %s that lands while a payment is asked for is what its answer names', async (step, code) => {
  on.payments.refusal = 'wallet_not_ready';
  const { id } = await on.subscribe();
  await on.stage.settle();
  on.payments.refusal = null;
  const opening = meanwhile(openPaymentLink.name, 'after', () => on.ask('POST', `subscriptions/${id}/${step}`, {}));
  const refused = await pay(id);
  opening.mockRestore();
  expect([refused.status, refused.json.code]).toEqual([409, code]);
  expect(on.payments.linkOf(id).is_closed).toBe(true);

  const other = await on.subscribe();
  await on.stage.settle();
  const paying = meanwhile(payByLink.name, 'before', async () => {
    await on.ask('POST', `subscriptions/${other.id}/${step}`, {});
    on.payments.linkOf(other.id).is_closed = true;
  });
  const late = await pay(other.id);
  paying.mockRestore();
  expect([late.status, late.json.code]).toEqual([409, code]);
});

test.each([
  ['cancel', {}, 'subscription_already_cancelled'],
  ['pause', {}, 'invalid_subscription_state'],
])('after %s nothing can be paid', async (step, body, code) => {
  const { id } = await on.subscribe();
  await on.ask('POST', `subscriptions/${id}/${step}`, body);
  const { status, json } = await pay(id);
  expect([status, json.code]).toEqual([409, code]);
});
