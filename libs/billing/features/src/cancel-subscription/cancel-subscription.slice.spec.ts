import { base58, signerOf } from '@tender/transactions';
import {
  NOBODY,
  subscriptionsStage,
  WALLET,
  type SubscriptionsStage,
} from '../testing/subscriptions-stage';

let on: SubscriptionsStage;
beforeAll(async () => {
  on = await subscriptionsStage();
});
afterAll(() => on?.close());

const DAY_MS = 24 * 60 * 60 * 1000;
const cancel = (id: string, body: object = {}, as: object = {}) =>
  on.ask('POST', `subscriptions/${id}/cancel`, body, as);
const seen = async (id: string, as: object = {}) =>
  (await on.ask('GET', `subscriptions/${id}`, undefined, as)).json;

test('at once: nothing is charged any more, and not twice', async () => {
  const { id } = await on.subscribe();
  const { status, json } = await cancel(id, { cancellation_reason: 'too dear' });
  await on.stage.settle();
  expect([status, json]).toEqual([200, await seen(id)]);
  expect(json).toMatchObject({
    ...{ status: 'Cancelled', cancellation_reason: 'too dear', cancelled_at: json.updated_at },
    ...{ next_payment_attempt: null, payment_url: null },
  });
  expect(on.payments.linkOf(id).is_closed).toBe(true);
  const again = await cancel(id);
  expect([again.status, again.json.code]).toEqual([409, 'subscription_already_cancelled']);
});

test('with its period: it stays until then, and opens no other', async () => {
  const { id, current_period_end } = await on.subscribe({ billing_interval: 'daily' });
  await on.stage.settle();
  await on.payments.confirm(on.payments.linkOf(id));
  await on.stage.settle();
  const { json } = await cancel(id, { cancel_at_period_end: true });
  expect(json).toMatchObject({ status: 'Active', cancel_at_period_end: true, cancelled_at: null });
  on.stage.advance(DAY_MS);
  await on.stage.settle();
  expect(await seen(id)).toMatchObject({ status: 'Cancelled', cancelled_at: current_period_end });
});

test('without a key only its wallet can', async () => {
  const { id } = await on.subscribe();
  const nameless = await cancel(id, {}, NOBODY);
  expect([nameless.status, nameless.json.code]).toEqual([400, 'missing_required_field']);
  expect(nameless.json.details.fields).toMatchObject([{ field: 'customer_wallet' }]);
  const other = await cancel(id, { customer_wallet: 'W1' }, NOBODY);
  expect([other.status, other.json.code]).toEqual([403, 'forbidden']);
  const { status, json } = await cancel(id, { customer_wallet: WALLET }, NOBODY);
  expect([status, json.status]).toEqual([200, 'Cancelled']);
  expect(json).not.toHaveProperty('metadata');
});

test('in live it signs, too: for this subscription, and with its own key', async () => {
  const live = { mode: 'live' } as const;
  const [customer, stranger] = [signerOf(Buffer.alloc(32, 1)), signerOf(Buffer.alloc(32, 2))];
  const terms = { name: 'Gold', amount: 5, billing_interval: 'monthly' };
  const plan = await on.ask('POST', 'subscription-plans', terms, live);
  const wanted = { plan_id: plan.json.id, customer_wallet: customer.address };
  const { id } = (await on.ask('POST', 'subscriptions', wanted, live)).json;
  const by = (signer: typeof customer, text: string) => ({
    customer_wallet: customer.address,
    wallet_signature: base58(signer.sign(Buffer.from(text))),
  });
  const nobody = { ...NOBODY, ...live };
  const refused = [
    await cancel(id, { customer_wallet: customer.address }, nobody),
    await cancel(id, { customer_wallet: customer.address, wallet_signature: 'none' }, nobody),
    await cancel(id, by(stranger, `cancel:${id}`), nobody),
    await cancel(id, by(customer, 'cancel:sub_live_another'), nobody),
  ];
  expect(refused.map(({ status, json }) => [status, json.code])).toEqual([
    [400, 'missing_required_field'],
    [400, 'invalid_parameter'],
    ...Array(2).fill([403, 'forbidden']),
  ]);
  expect((await seen(id, live)).status).toBe('Active');
  expect((await cancel(id, by(customer, `cancel:${id}`), nobody)).status).toBe(200);
});

test('attempts at 0, +1, +3 and +5 days; two days after the last it is over', async () => {
  const { id, created_at } = await on.subscribe();
  await on.stage.settle();
  const linkTimes: string[] = [];
  for (const days of [1, 2, 2, 2]) {
    linkTimes.push(on.payments.linkOf(id).claim.payments_expire_at as string);
    on.stage.advance(days * DAY_MS);
    await on.stage.settle();
  }
  const ahead = (days: number) => new Date(Date.parse(created_at) + days * DAY_MS).toISOString();
  expect(linkTimes).toEqual([ahead(1), ahead(3), ahead(5), ahead(7)]);
  expect(await seen(id)).toMatchObject({
    ...{ status: 'Cancelled', cancellation_reason: 'payment_failed', cancelled_at: ahead(7) },
  });
});
