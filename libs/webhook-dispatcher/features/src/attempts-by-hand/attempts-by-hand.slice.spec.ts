import { ApiError } from '@tender/http';
import { Dispatcher, LEASE_OWNER_HERE } from '../testing/dispatcher';
import { HeldPosts, until } from '../testing/held-posts';
import { RetryWebhookHttp } from '../retry-delivery/retry-webhook.http';
import { TestWebhookHttp } from '../send-test/test-webhook.http';
import { ATTEMPTS_MAX, ATTEMPTS_PER_MERCHANT_MAX, AttemptsByHand } from './attempts-by-hand';

let dispatcher: Dispatcher;
let posts: HeldPosts;
let by_hand: AttemptsByHand;

beforeEach(async () => {
  posts = new HeldPosts();
  by_hand = new AttemptsByHand();
  dispatcher = await Dispatcher.start(posts);
});
afterEach(async () => {
  letGoAll();
  await dispatcher.stop();
});
afterAll(() => Dispatcher.stopServer());

const url = 'https://shop.example/webhooks';
const sendTest = (merchant_id: string) =>
  new TestWebhookHttp(dispatcher.runtime, LEASE_OWNER_HERE, by_hand).test(
    dispatcher.caller(merchant_id),
  );
const retry = (merchant_id: string, id: string) =>
  new RetryWebhookHttp(dispatcher.runtime, LEASE_OWNER_HERE, by_hand).retry(
    dispatcher.caller(merchant_id),
    id,
  );

function letGoAll(): void {
  posts.isHeld = () => false;
  posts.letGo();
}

async function refusalOf(work: Promise<unknown>): Promise<ApiError> {
  const error: unknown = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ApiError)) throw new Error('It was not refused.', { cause: error });
  return error;
}

const BUSY = { status: 503, code: 'service_unavailable', headers: { 'Retry-After': '15' } };

test('silent receivers hold a few places each and not many altogether; nothing more is attempted', async () => {
  const shops = Array.from({ length: ATTEMPTS_MAX / ATTEMPTS_PER_MERCHANT_MAX }, (_, at) => `m${at}`);
  await Promise.all([...shops, 'late'].map((shop) => dispatcher.configure(shop, url)));

  const own = [sendTest('m0'), sendTest('m0')];
  await until(() => posts.sent.length === ATTEMPTS_PER_MERCHANT_MAX);
  expect(await refusalOf(sendTest('m0'))).toMatchObject(BUSY);

  const others = shops.slice(1).flatMap((shop) => [sendTest(shop), sendTest(shop)]);
  await until(() => posts.sent.length === ATTEMPTS_MAX);
  expect(await refusalOf(sendTest('late'))).toMatchObject(BUSY);
  const count = 'select count(*)::int as planned from webhook_dispatcher.deliveries';
  expect(await dispatcher.runtime.readModels.query(count)).toEqual([{ planned: ATTEMPTS_MAX }]);

  letGoAll();
  await Promise.all([...own, ...others]);
  expect(await sendTest('late')).toMatchObject({ success: true });
});

test('a retry by hand that finds no place leaves the delivery as it was', async () => {
  dispatcher.standStill();
  await dispatcher.configure('m1', url);
  posts.isHeld = () => false;
  posts.status = 500;
  await dispatcher.plan(dispatcher.paymentEvent('m1', 'pay_test_1'));
  await dispatcher.sender.idle();
  const deliveries = 'select id, status, attempts from webhook_dispatcher.deliveries order by attempts desc';
  const [failed] = await dispatcher.runtime.readModels.query<{ id: string }>(deliveries);
  const id = String(failed?.id);

  posts.isHeld = () => true;
  posts.status = 200;
  const tests = [sendTest('m1'), sendTest('m1')];
  await until(() => posts.under_way.size === ATTEMPTS_PER_MERCHANT_MAX);
  expect(await refusalOf(retry('m1', id))).toMatchObject(BUSY);
  const [after] = await dispatcher.runtime.readModels.query(deliveries);
  expect(after).toEqual({ id, status: 'failed', attempts: 1 });

  letGoAll();
  await Promise.all(tests);
  expect(await retry('m1', id)).toMatchObject({ id, status: 'delivered', attempts: 2 });
});
