import { ApiError } from '@tender/http';
import { AttemptsByHand } from './attempts-by-hand/attempts-by-hand';
import { ConfigureWebhookHttp } from './configure-endpoint/configure-webhook.http';
import { ListEventsHttp } from './list-events/list-events.http';
import { ListWebhooksHttp } from './list-deliveries/list-webhooks.http';
import { RetryWebhookHttp } from './retry-delivery/retry-webhook.http';
import { TestWebhookHttp } from './send-test/test-webhook.http';
import { LEASE_OWNER_HERE, Dispatcher, replyDouble } from './testing/dispatcher';
import { Receiver } from './testing/receiver';
import { VerifyWebhookHttp } from './verify-signature/verify-webhook.http';

let dispatcher: Dispatcher;
let receiver: Receiver;

beforeEach(async () => {
  [dispatcher, receiver] = await Promise.all([Dispatcher.start(), Receiver.start()]);
});
afterEach(async () => {
  await dispatcher.stop();
  await receiver.stop();
});
afterAll(() => Dispatcher.stopServer());

const refusal = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  return error instanceof ApiError ? [error.status, error.code] : error;
};
const retry = (merchant_id: string, id: string, mode: 'test' | 'live' = 'test') =>
  new RetryWebhookHttp(dispatcher.runtime, LEASE_OWNER_HERE, new AttemptsByHand()).retry(
    dispatcher.caller(merchant_id, mode),
    id,
  );
const sendTest = (merchant_id: string) =>
  new TestWebhookHttp(dispatcher.runtime, LEASE_OWNER_HERE, new AttemptsByHand()).test(
    dispatcher.caller(merchant_id),
  );
const records = (merchant_id: string, mode: 'test' | 'live' = 'test') =>
  new ListWebhooksHttp(dispatcher.runtime).list(
    dispatcher.caller(merchant_id, mode),
    {},
    replyDouble().reply,
  );
const onlyId = async (merchant_id: string) => {
  const found = await records(merchant_id);
  expect(found).toHaveLength(1);
  return String(found[0]?.id);
};
const eventsText = (merchant_id: string, query: object = {}) =>
  new ListEventsHttp(dispatcher.runtime).list(
    dispatcher.caller(merchant_id),
    query,
    replyDouble().reply,
  );
const events = async (merchant_id: string, query: object = {}) =>
  JSON.parse(await eventsText(merchant_id, query));

test('a manual retry goes to the present URL, counts on, and is refused once the delivery has arrived', async () => {
  dispatcher.standStill();
  await dispatcher.configure('m1', receiver.url);
  receiver.answer(503);
  await dispatcher.plan(dispatcher.paymentEvent('m1', 'pay_test_1'));
  await dispatcher.sender.idle();
  const id = await onlyId('m1');

  expect(await refusal(retry('m2', id))).toEqual([404, 'not_found']);
  expect(await refusal(retry('m1', id, 'live'))).toEqual([404, 'not_found']);
  expect(await refusal(retry('m1', 'wh_none'))).toEqual([404, 'not_found']);

  expect(await retry('m1', id)).toMatchObject({ id, status: 'failed', attempts: 2, response_code: 503 });
  await dispatcher.configure('m1', null);
  expect(await refusal(retry('m1', id))).toEqual([409, 'webhook_not_configured']);
  await dispatcher.configure('m1', `${receiver.url}/new`);
  receiver.answer(204);
  expect(await retry('m1', id)).toMatchObject({
    id,
    status: 'delivered',
    attempts: 3,
    next_retry_at: null,
    webhook_url: `${receiver.url}/new`,
  });
  expect(receiver.received.map(({ path, headers }) => [path, headers['x-svc-attempt']])).toEqual([
    ['/', '1'],
    ['/', '2'],
    ['/new', '3'],
  ]);
  expect(await refusal(retry('m1', id))).toEqual([409, 'delivery_not_retryable']);
});

test('of two manual retries at once the receiver gets one', async () => {
  dispatcher.standStill();
  await dispatcher.configure('m1', receiver.url);
  receiver.answer(500);
  await dispatcher.plan(dispatcher.paymentEvent('m1', 'pay_test_1'));
  await dispatcher.sender.idle();
  const id = await onlyId('m1');
  receiver.behaviour = (_, response) => void setTimeout(() => response.end(), 50);
  const answers = await Promise.all([refusal(retry('m1', id)), refusal(retry('m1', id))]);
  expect(answers.filter((answer) => answer !== null)).toEqual([[409, 'delivery_not_retryable']]);
  expect(receiver.received).toHaveLength(2);
});

test('the sender sends nothing while delivery is off, and the merchant can retry once it is on again', async () => {
  dispatcher.standStill();
  await dispatcher.configure('m1', receiver.url);
  receiver.answer(500);
  await dispatcher.plan(dispatcher.paymentEvent('m1', 'pay_test_1'));
  await dispatcher.sender.idle();
  await dispatcher.configure('m1', null);
  await dispatcher.advance(60_000);
  expect(receiver.received).toHaveLength(1);
  const [record] = await records('m1');
  expect(record).toMatchObject({ status: 'exhausted', attempts: 1, next_retry_at: null });
  expect(record).toMatchObject({ response_code: null, response_body: null });
});

test('a test event is sent once, recorded, and no part of the event log', async () => {
  expect(await refusal(sendTest('m1'))).toEqual([409, 'webhook_not_configured']);
  await dispatcher.configure('m1', receiver.url);
  receiver.answer(200, 'thanks '.repeat(500));
  const answer = await sendTest('m1');
  expect(answer).toMatchObject({ success: true, status_code: 200, message: expect.any(String) });
  expect(Buffer.byteLength(answer.response_body ?? '')).toBe(1024);
  receiver.answer(500);
  expect(await sendTest('m1')).toMatchObject({ success: false, status_code: 500 });

  const body = JSON.parse(receiver.received[0]?.body ?? '');
  expect(body).toMatchObject({ event: 'WebhookTest', payment: null, settlement: null, receipt: null });
  expect(await records('m1')).toMatchObject([
    { event_type: 'WebhookTest', status: 'exhausted', attempts: 1, payment_id: null },
    { event_type: 'WebhookTest', status: 'delivered', attempts: 1, payload: body },
  ]);
  expect(await events('m1')).toEqual({ data: [], next_cursor: null, has_more: false });
});

test('a test event to an endpoint that is not there says so', async () => {
  await dispatcher.configure('m1', 'http://127.0.0.1:9/');
  expect(await sendTest('m1')).toMatchObject({
    ...{ success: false, status_code: null, response_body: null },
    message: expect.stringMatching(/^The test event was not delivered\. The connection failed: /),
  });
});

test('a delivery without an answer has no response in its record; its attempt says what went wrong', async () => {
  await dispatcher.configure('m1', 'http://127.0.0.1:9/');
  await dispatcher.plan(dispatcher.paymentEvent('m1', 'pay_test_1'));
  await dispatcher.sender.idle();
  expect(await records('m1')).toMatchObject([
    { status: 'failed', attempts: 1, response_code: null, response_body: null },
  ]);
  const outcomes = 'select outcome from webhook_dispatcher.attempts';
  expect(await dispatcher.runtime.readModels.query(outcomes)).toEqual([
    { outcome: 'connect_failed' },
  ]);
});

test('a forbidden URL is refused before anything is stored', async () => {
  expect(await refusal(dispatcher.configure('m1', 'https://10.0.0.1/'))).toEqual([400, 'invalid_parameter']);
  expect(await dispatcher.runtime.eventStore.load('endpoint.test-m1')).toEqual([]);
});

test('a repeat of the same request shows the same secret', async () => {
  const { runtime } = dispatcher;
  const caller = dispatcher.caller('m1');
  const once = () =>
    new ConfigureWebhookHttp(runtime, dispatcher.leading).configure(
      caller,
      { webhook_url: receiver.url },
      replyDouble().reply,
    );
  expect(await once()).toEqual(await once());
  expect(await runtime.eventStore.load('endpoint.test-m1')).toHaveLength(1);
  const stored = JSON.stringify(await runtime.eventStore.load('endpoint.test-m1'));
  expect(stored).not.toContain('whsec_');
});

test('the verify route knows the secrets that sign now, of this mode', async () => {
  await dispatcher.configure('m1', receiver.url);
  await dispatcher.plan(dispatcher.paymentEvent('m1', 'pay_test_1'));
  await dispatcher.sender.idle();
  const [{ body: payload, headers }] = receiver.received as [(typeof receiver.received)[0]];
  const signature = String(headers['x-svc-signature']);
  const verify = (merchant_id: string, mode: 'test' | 'live' = 'test') =>
    new VerifyWebhookHttp(dispatcher.runtime).verify(dispatcher.caller(merchant_id, mode), {
      payload,
      signature,
    });
  await dispatcher.configure('m1', receiver.url);
  expect(await verify('m1')).toMatchObject({ valid: true });
  expect(await verify('m1', 'live')).toMatchObject({ valid: false });
  expect(await verify('m2')).toMatchObject({ valid: false });
});

test('the event log holds the bytes of the webhooks, also without a URL, page by page', async () => {
  await dispatcher.configure('m1', null);
  await dispatcher.plan(dispatcher.paymentEvent('m1', 'pay_test_0'));
  await dispatcher.configure('m1', receiver.url);
  await dispatcher.plan(
    dispatcher.paymentEvent('m1', 'pay_test_1'),
    dispatcher.paymentEvent('m1', 'pay_test_1', { type: 'payments.payment-confirmed.v1' }),
  );
  await dispatcher.sender.idle();
  const text = await eventsText('m1');
  for (const { body } of receiver.received) expect(text).toContain(`"event":${body}}`);
  expect(await records('m1')).toHaveLength(2);

  const first = await events('m1', { limit: 2 });
  expect(first).toMatchObject({ has_more: true, next_cursor: first.data[1].cursor });
  const second = await events('m1', { after: first.next_cursor, limit: 2 });
  expect(second.has_more).toBe(false);
  expect([...first.data, ...second.data].map(({ event }) => event.payment.id)).toEqual([
    'pay_test_0',
    'pay_test_1',
    'pay_test_1',
  ]);
  const confirmed = await events('m1', { types: 'PaymentConfirmed,PaymentFailed' });
  expect(confirmed.data).toMatchObject([{ event: { event: 'PaymentConfirmed' } }]);
  expect(confirmed.data).toHaveLength(1);
  expect(await events('m1', { after: second.next_cursor })).toEqual({
    data: [],
    next_cursor: second.next_cursor,
    has_more: false,
  });
  expect(await events('m2')).toMatchObject({ data: [] });
  for (const bad of [{ after: 'x' }, { after: '-1' }, { types: 'a;b' }]) {
    expect(await refusal(eventsText('m1', bad))).toEqual([400, 'invalid_parameter']);
  }
});
