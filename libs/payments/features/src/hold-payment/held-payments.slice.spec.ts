import { inspectPayment } from '@tender/contracts';
import { HoldStage } from '../testing/hold-stage';
import { fateOf } from '../testing/payment-fates';

const DAYS_MS = 24 * 60 * 60 * 1000;
let holds: HoldStage;
beforeAll(async () => {
  holds = await HoldStage.start();
});
afterAll(() => holds?.stage.close());

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- answers are what is under test
type Json = any;

const HELD = ['PaymentCreated', 'TransactionBuilt', 'PaymentConfirmed'];
const settlementsOf = async (query: string): Promise<Json[]> =>
  (await holds.send('GET', `/settlements${query}`)).json;
const holdOf = async ({ payment_id }: Json) => {
  const asking = { mode: 'test', correlation_id: 'c1' } as const;
  const { calls } = holds.stage.context.runtime;
  return (await calls.ask(inspectPayment, { payment_id }, asking))?.hold;
};
const eventsOf = async ({ id }: Json): Promise<string[]> =>
  (await holds.send('GET', `/payment-intents/${id}/events`)).json.map(({ event_type }: Json) => event_type);

test('the money of a manual intent comes to the operating wallet, and waits there', async () => {
  const intent = await holds.newIntent();
  expect(intent).toMatchObject({ capture_method: 'manual', capture_before: null });
  const held = await holds.held();
  expect(held).toMatchObject({ status: 'processing', transaction_signature: `S-${held.payment_id}` });
  const left_ms = Date.parse(held.capture_before) - Date.now();
  expect(left_ms).toBeGreaterThan(7 * DAYS_MS - 60_000);
  expect(left_ms).toBeLessThanOrEqual(7 * DAYS_MS);
  const { json } = await holds.send('GET', `/payments/${held.payment_id}`);
  expect(json).toMatchObject({ status: 'confirmed', wallet_address: holds.operating_wallet });
  expect(await holds.typesOf('payment', held.payment_id)).toEqual(HELD);
  expect(await settlementsOf(`?payment_id=${held.payment_id}`)).toEqual([]);
  expect(await holdOf(held)).toBe('held');
  expect(await eventsOf(held)).toEqual(['PaymentIntentCreated', 'PaymentIntentRequiresPayment']);
});

test('captured, it is settled by one transfer, and has succeeded once that is final', async () => {
  const held = await holds.held();
  const repeat = { command_id: 'c-capture' };
  const captured = await holds.act(held, 'capture', repeat);
  expect([captured.status, captured.json.status, captured.json.capture_before]).toEqual([
    ...[200, 'processing', null],
  ]);
  await holds.settle();
  expect((await holds.act(held, 'capture', repeat)).text).toBe(captured.text);
  for (const action of ['capture', 'cancel'] as const) {
    const { status, json } = await holds.act(held, action);
    expect([status, json.code]).toEqual([409, 'invalid_intent_state']);
  }
  const [pending] = await settlementsOf(`?payment_id=${held.payment_id}`);
  expect(pending).toMatchObject({ status: 'pending', transaction_signature: null, completed_at: null });
  const asked = holds.transfers.filter(({ transfer_id }) => transfer_id === pending.id);
  expect(asked).toEqual([
    {
      ...{ transfer_id: pending.id, type: 'settlement', merchant_id: 'm1', asset: 'USDC' },
      ...{ amount: '10000000', credit: null, to: null },
    },
  ]);
  await holds.tell('signed');
  expect(await settlementsOf(`?payment_id=${held.payment_id}`)).toMatchObject([
    { status: 'processing', transaction_signature: 'T1' },
  ]);
  expect([await holdOf(held), (await holds.intentNow(held)).status]).toEqual(['capturing', 'processing']);
  await holds.tell('completed');
  const [completed] = await settlementsOf(`?payment_id=${held.payment_id}&status=completed`);
  expect(completed).toEqual({
    ...{ id: pending.id, payment_id: held.payment_id, merchant_id: 'm1', amount_usd: 10 },
    ...{ settlement_token: 'USDC', settlement_amount: 10, transaction_signature: 'T1' },
    ...{ merchant_wallet: holds.settlement_wallet, status: 'completed', failure_reason: null },
    created_at: pending.created_at,
    completed_at: expect.any(String) as string,
  });
  expect(await holds.intentNow(held)).toMatchObject({
    ...{ status: 'succeeded', transaction_signature: held.transaction_signature },
  });
  expect(await holdOf(held)).toBe('captured');
  expect(await holds.typesOf('payment', held.payment_id)).toEqual([
    ...[...HELD, 'SettlementRequested', 'SettlementSent', 'PaymentSettled'],
  ]);
  expect((await eventsOf(held)).at(-1)).toBe('PaymentIntentSucceeded');
});

test('a settlement that fails leaves the intent processing; retried, it is another transfer', async () => {
  const held = await holds.held();
  await holds.act(held, 'capture');
  await holds.settle();
  const [{ id }] = (await settlementsOf(`?payment_id=${held.payment_id}`)) as [Json];
  const retry = (of = id, changes: object = {}) =>
    holds.send('POST', `/settlements/${of}/retry`, undefined, changes);
  const early = await retry();
  expect([early.status, early.json.code]).toEqual([409, 'settlement_not_retryable']);
  await holds.tell('failed', null);
  expect(await settlementsOf(`?payment_id=${held.payment_id}&status=failed`)).toMatchObject([
    { id, failure_reason: 'insufficient_balance', transaction_signature: null },
  ]);
  expect([await holdOf(held), (await holds.intentNow(held)).status]).toEqual(['capturing', 'processing']);
  const repeat = { command_id: 'c-retry' };
  const retried = await retry(id, repeat);
  expect([retried.status, retried.json.status, retried.json.failure_reason]).toEqual([200, 'pending', null]);
  expect((await retry(id, repeat)).text).toBe(retried.text);
  expect((await retry()).json.code).toBe('settlement_not_retryable');
  await holds.settle();
  expect(holds.transfers.at(-1)?.transfer_id).toBe(`${id}:2`);
  await holds.tell('signed', 'T2');
  await holds.tell('completed', 'T2');
  expect(await holds.intentNow(held)).toMatchObject({ status: 'succeeded' });
  expect((await retry()).json.code).toBe('settlement_not_retryable');
  expect(await holds.typesOf('payment', held.payment_id)).toEqual([
    ...[...HELD, 'SettlementRequested', 'SettlementFailed', 'SettlementRequested'],
    ...['SettlementSent', 'PaymentSettled'],
  ]);
});

test('canceled, the money is to go back, and nothing is settled', async () => {
  const held = await holds.held();
  const sent = holds.transfers.length;
  const { status, json } = await holds.act(held, 'cancel');
  expect([status, json.status, json.payment_id]).toEqual([200, 'canceled', held.payment_id]);
  await holds.settle();
  expect(await holds.typesOf('payment', held.payment_id)).toEqual([...HELD, 'HoldCanceled']);
  expect([await holdOf(held), holds.transfers.length]).toEqual(['canceled', sent]);
  expect(await eventsOf(held)).toEqual([
    ...['PaymentIntentCreated', 'PaymentIntentRequiresPayment', 'PaymentIntentCanceled'],
  ]);
  const late = await holds.act(held, 'capture');
  expect([late.status, late.json.code]).toEqual([409, 'invalid_intent_state']);
});

test('capture and cancel at the same moment: one wins, whichever is first', async () => {
  for (let n = 0; n < 5; n += 1) {
    const held = await holds.held();
    const answers = await Promise.all([holds.act(held, 'capture'), holds.act(held, 'cancel')]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    await holds.settle();
    const [fate] = (await holds.typesOf('payment', held.payment_id)).slice(HELD.length);
    expect(fate).toBe(answers[0]?.status === 200 ? 'SettlementRequested' : 'HoldCanceled');
  }
});

test('not captured within seven days it is canceled by the system', async () => {
  const held = await holds.held();
  holds.stage.context.advance(7 * DAYS_MS);
  const late = await holds.act(held, 'capture');
  expect([late.status, late.json.code]).toEqual([409, 'invalid_intent_state']);
  await holds.settle();
  expect((await holds.intentNow(held)).status).toBe('canceled');
  await holds.settle();
  const history = await holds.stage.context.runtime.eventStore.load(`payment.test-${held.payment_id}`);
  expect(history.at(-1)).toMatchObject({ type: 'HoldCanceled', data: { canceled_by: 'system' } });
});

test('what is not held is not captured', async () => {
  const waiting = await holds.newIntent();
  const automatic = await holds.newIntent({ capture_method: 'automatic' });
  await holds.confirm(automatic);
  for (const intent of [waiting, automatic]) {
    const { status, json } = await holds.act(intent, 'capture');
    expect([status, json.code]).toEqual([409, 'invalid_intent_state']);
  }
  const foreign = await holds.act(waiting, 'capture', { merchant_id: 'm2' });
  expect([foreign.status, foreign.json.code]).toEqual([404, 'not_found']);
});

test('without an operating wallet, or while treasury is away, it cannot be confirmed, and stays as it is', async () => {
  const intent = await holds.newIntent();
  const { opened } = holds;
  holds.opened = null;
  const none = await holds.confirm(intent);
  expect([none.status, none.json.code]).toEqual([409, 'wallet_not_ready']);
  holds.opened = opened;
  holds.out_of_reach = true;
  const silent = await holds.confirm(intent);
  holds.out_of_reach = false;
  expect([silent.status, silent.json.code]).toEqual([503, 'service_unavailable']);
  expect((await holds.intentNow(intent)).status).toBe('requires_payment');
  expect((await holds.confirm(intent)).status).toBe(200);
});

test('payments straight to the merchant’s wallet are settlements, too: completed at once', async () => {
  const automatic = await holds.newIntent({ capture_method: 'automatic' });
  const { json } = await holds.confirm(automatic);
  await fateOf(holds.stage.context).confirm(
    (await holds.send('GET', `/payments/${json.payment_id}/checkout-data`)).json,
  );
  await holds.settle();
  expect((await holds.intentNow(automatic)).status).toBe('succeeded');
  const [direct] = (await settlementsOf(`?payment_id=${json.payment_id}`)) as [Json];
  expect(direct).toMatchObject({
    ...{ status: 'completed', transaction_signature: `S-${json.payment_id}` },
    ...{ merchant_wallet: holds.settlement_wallet, completed_at: direct.created_at },
  });
  const retried = await holds.send('POST', `/settlements/${direct.id}/retry`);
  expect([retried.status, retried.json]).toMatchObject([
    409,
    { code: 'settlement_not_retryable', details: { status: 'completed' } },
  ]);
});

test('the list has the merchant’s own, newest first; no other merchant or mode finds one', async () => {
  const page = await holds.send('GET', '/settlements?limit=2');
  const all = await settlementsOf('?limit=100');
  expect(page.headers['x-total-count']).toBe(String(all.length));
  expect(page.json).toEqual(all.slice(0, 2));
  expect(all.map(({ created_at }) => created_at)).toEqual(
    all.map(({ created_at }) => created_at as string).toSorted().toReversed(),
  );
  const [{ id }] = all as [Json];
  for (const changes of [{ merchant_id: 'm2' }, { mode: 'live' }]) {
    expect((await holds.send('GET', '/settlements', undefined, changes)).json).toEqual([]);
    const retried = await holds.send('POST', `/settlements/${id}/retry`, undefined, changes);
    expect([retried.status, retried.json.code]).toEqual([404, 'not_found']);
  }
  const unknown = await holds.send('POST', `/settlements/set_test_${'0'.repeat(22)}/retry`);
  expect(unknown.status).toBe(404);
});
