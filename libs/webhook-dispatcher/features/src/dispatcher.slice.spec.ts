import { isoTime } from '@tender/kernel';
import { Webhook } from 'standardwebhooks';
import { ListWebhooksHttp } from './list-deliveries/list-webhooks.http';
import { hexSignature } from './sign-delivery/sign-delivery';
import { Dispatcher, replyDouble } from './testing/dispatcher';
import { HeldPosts, until, type HeldPost } from './testing/held-posts';
import { Receiver, type Received } from './testing/receiver';

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

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

const msOf = (time: string | null | undefined) => Date.parse(String(time));

const list = async (merchant_id: string) => {
  const { reply, headers } = replyDouble();
  const http = new ListWebhooksHttp(dispatcher.runtime);
  return { records: await http.list(dispatcher.caller(merchant_id), {}, reply), headers };
};

const headersOf = ({ headers }: Received) => headers as Record<string, string>;

const isSignedBy = (secret: string, { headers, body }: Received) => {
  const [time, ...signatures] = String(headers['x-svc-signature']).split(',');
  return signatures.includes(`v1=${hexSignature(secret, String(time).slice(2), body)}`);
};

test('a public event becomes one signed webhook, recorded as delivered', async () => {
  const secret = await dispatcher.configure('m1', `${receiver.url}/hook?x=1`);
  const event = dispatcher.paymentEvent('m1', 'pay_test_1');
  await dispatcher.plan(event);
  await dispatcher.plan(event);
  await dispatcher.sender.idle();

  expect(receiver.received).toHaveLength(1);
  const [request] = receiver.received as [Received];
  expect(request.path).toBe('/hook?x=1');
  expect(isSignedBy(secret, request)).toBe(true);
  const verified = new Webhook(secret).verify(request.body, headersOf(request));
  expect(verified).toMatchObject({
    event: 'PaymentCreated',
    id: expect.stringMatching(/^evt_test_[0-9A-Za-z]{22}$/),
    resource_version: 1,
    payment: { id: 'pay_test_1', merchant_id: 'm1', amount_usd: 10, splits: null },
    settlement: null,
    withdrawal: null,
    refund: null,
    dispute: null,
    fraud: null,
    sub_account: null,
    receipt: null,
  });
  expect(request.headers).toMatchObject({
    'content-type': 'application/json',
    'accept-encoding': 'identity',
    'x-svc-event': 'PaymentCreated',
    'x-svc-attempt': '1',
    'x-svc-delivery': request.headers['webhook-id'],
  });

  const { records, headers } = await list('m1');
  expect(headers['x-total-count']).toBe('1');
  expect(records).toEqual([
    {
      id: request.headers['x-svc-delivery'],
      payment_id: 'pay_test_1',
      merchant_id: 'm1',
      event_type: 'PaymentCreated',
      payload: JSON.parse(request.body),
      webhook_url: `${receiver.url}/hook?x=1`,
      status: 'delivered',
      attempts: 1,
      last_attempt_at: expect.any(String),
      next_retry_at: null,
      response_code: 200,
      response_body: 'ok',
      created_at: expect.any(String),
    },
  ]);
});

test('five attempts on schedule, each signed with its own time, then exhausted', async () => {
  dispatcher.standStill();
  const secret = await dispatcher.configure('m1', receiver.url);
  receiver.answer(500, 'no');
  await dispatcher.plan(dispatcher.paymentEvent('m1', 'pay_test_1'));
  await dispatcher.sender.idle();
  for (const wait_ms of [30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS, HOUR_MS]) {
    const count = receiver.received.length;
    const [record] = (await list('m1')).records;
    expect(record).toMatchObject({ status: 'failed', attempts: count, response_code: 500 });
    const next_ms = msOf(record?.next_retry_at) - msOf(record?.last_attempt_at);
    expect(next_ms).toBeGreaterThanOrEqual(wait_ms);
    expect(next_ms).toBeLessThanOrEqual(wait_ms * 1.1);

    await dispatcher.advance(wait_ms - 15 * SECOND_MS);
    expect(receiver.received).toHaveLength(count);
    await dispatcher.advance(wait_ms * 0.1 + 16 * SECOND_MS);
    expect(receiver.received).toHaveLength(count + 1);
  }
  const numbers = receiver.received.map(({ headers }) => headers['x-svc-attempt']);
  expect(numbers).toEqual(['1', '2', '3', '4', '5']);
  expect(new Set(receiver.received.map(({ headers }) => headers['x-svc-delivery'])).size).toBe(1);
  expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
  for (const request of receiver.received) {
    expect(() => new Webhook(secret).verify(request.body, headersOf(request))).not.toThrow();
  }
  const [record] = (await list('m1')).records;
  expect(record).toMatchObject({ status: 'exhausted', attempts: 5, next_retry_at: null });
  expect(await dispatcher.sender.nextDue()).toBeNull();
});

test('the sender waits as long as a 429 asks for, up to an hour', async () => {
  await dispatcher.configure('m1', receiver.url);
  receiver.answer(429, '', { 'retry-after': '600' });
  await dispatcher.plan(dispatcher.paymentEvent('m1', 'pay_test_1'));
  await dispatcher.sender.idle();
  const [record] = (await list('m1')).records;
  expect(record?.next_retry_at).toBe(isoTime(msOf(record?.last_attempt_at) + 10 * MINUTE_MS));
});

test('a replaced secret co-signs for 24 hours of business time', async () => {
  const old = await dispatcher.configure('m1', receiver.url);
  const fresh = await dispatcher.configure('m1', receiver.url);
  expect(fresh).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(fresh).not.toBe(old);
  await dispatcher.plan(dispatcher.paymentEvent('m1', 'pay_test_1'));
  await dispatcher.sender.idle();
  await dispatcher.advance(24 * HOUR_MS);
  await dispatcher.plan(dispatcher.paymentEvent('m1', 'pay_test_2'));
  await dispatcher.sender.idle();
  const [during, after] = receiver.received as [Received, Received];
  expect([isSignedBy(fresh, during), isSignedBy(old, during)]).toEqual([true, true]);
  expect([isSignedBy(fresh, after), isSignedBy(old, after)]).toEqual([true, false]);
  expect(String(during.headers['webhook-signature']).split(' ')).toHaveLength(2);
  new Webhook(old).verify(during.body, headersOf(during));
});

test('events of a payment with a URL of its own go there, signed with the merchant’s secret', async () => {
  const other = await Receiver.start();
  const secret = await dispatcher.configure('m1', receiver.url);
  await dispatcher.plan(dispatcher.paymentEvent('m1', 'pay_test_1', { webhook_url: other.url }));
  await dispatcher.configure('m2', null);
  await dispatcher.plan(
    dispatcher.paymentEvent('m2', 'pay_test_2', { webhook_url: other.url }),
    dispatcher.paymentEvent('m2', 'pay_test_3'),
  );
  await dispatcher.sender.idle();
  expect(receiver.received).toHaveLength(0);
  expect(other.received.map(({ body }) => JSON.parse(body).payment.id).sort()).toEqual([
    'pay_test_1',
    'pay_test_2',
  ]);
  const first = other.received.find(({ body }) => body.includes('pay_test_1')) as Received;
  expect(isSignedBy(secret, first)).toBe(true);
  await other.stop();
});

/** The dispatcher begins anew, with posts that the test ends. */
async function holdingPosts(status?: number): Promise<HeldPosts> {
  await dispatcher.stop();
  const posts = new HeldPosts(status);
  dispatcher = await Dispatcher.start(posts);
  return posts;
}

test('first attempts of one resource keep their order, though each is slow', async () => {
  const posts = await holdingPosts(500);
  dispatcher.standStill();
  await dispatcher.configure('m1', receiver.url);
  const types = [
    'payments.payment-created.v1',
    'payments.payment-confirmed.v1',
    'payments.settlement-completed.v1',
  ] as const;
  const payments = ['a', 'b', 'c', 'd'].map((name) => `pay_test_${name}`);
  await dispatcher.plan(
    ...types.flatMap((type) => payments.map((id) => dispatcher.paymentEvent('m1', id, { type }))),
  );
  const shown = ({ body }: HeldPost) => {
    const { payment, resource_version } = JSON.parse(String(body));
    return `${payment.id} ${resource_version}`;
  };
  for (const version of [1, 2, 3]) {
    // An endpoint has four places: one for each payment, while none has two of them.
    await until(() => posts.under_way.size === 4);
    const under_way = [...posts.under_way];
    expect(under_way.map(shown).sort()).toEqual(payments.map((id) => `${id} ${version}`));
    for (const { end } of under_way) end();
  }
  await dispatcher.sender.idle();
  expect(posts.sent).toHaveLength(12);
});

test('at most 4 requests to one endpoint at once, 16 to one merchant', async () => {
  const posts = await holdingPosts();
  const urls = Array.from({ length: 6 }, (_, index) => `http://127.0.0.1:9/${index}`);
  const [first = ''] = urls;
  const most = { endpoint: 0, merchant: 0 };
  posts.onPost = () => {
    most.endpoint = Math.max(most.endpoint, ...urls.map((url) => posts.to(url)));
    most.merchant = Math.max(most.merchant, posts.under_way.size);
  };
  await dispatcher.configure('m1', null);
  await dispatcher.plan(
    ...urls.flatMap((url, r) =>
      Array.from({ length: 10 }, (_, index) =>
        dispatcher.paymentEvent('m1', `pay_test_${r}_${index}`, { webhook_url: url }),
      ),
    ),
  );
  await until(() => posts.under_way.size >= 16);
  // The first endpoint has all its places taken when it alone does not answer.
  posts.isHeld = ({ url }) => url === first;
  posts.letGo();
  await until(() => posts.to(first) >= 4 && posts.sent.length >= 50 + 4);
  posts.isHeld = () => false;
  posts.letGo();
  await dispatcher.sender.idle();
  const counts = urls.map((url) => posts.sent.filter((post) => post.url === url).length);
  expect(counts).toEqual([10, 10, 10, 10, 10, 10]);
  expect(most).toEqual({ endpoint: 4, merchant: 16 });
});
