import os from 'node:os';
import type { Outbound, OutboundRequest } from '@tender/eventing';
import { hexSignature } from './sign-delivery/sign-delivery';
import { Dispatcher } from './testing/dispatcher';
import { HeldPosts } from './testing/held-posts';
import { Receiver } from './testing/receiver';

let dispatcher: Dispatcher;
afterEach(() => dispatcher.stop());
afterAll(() => Dispatcher.stopServer());

const LOOPBACK = 'http://127.0.0.1:9/';
const statuses = () =>
  dispatcher.runtime.readModels.query<{ status: string; attempts: number; count: number }>(
    `select status, attempts, count(*)::int as count from webhook_dispatcher.deliveries
     group by status, attempts order by status, attempts`,
  );
const setLease = (owner: string, until: number) =>
  dispatcher.runtime.readModels.query(
    `update webhook_dispatcher.queued_deliveries set lease_owner = $1, lease_until = $2`,
    [owner, until],
  );

/** The planner has planned it, and a sender that then died has leased it. */
async function leftBehind(owner: string, until: number) {
  dispatcher = await Dispatcher.start();
  await dispatcher.sender.stop();
  const receiver = await Receiver.start();
  await dispatcher.configure('m1', receiver.url);
  await dispatcher.plan(dispatcher.paymentEvent('m1', 'pay_test_1'));
  await setLease(owner, until);
  await dispatcher.runtime.readModels.query(
    'update webhook_dispatcher.endpoint_queue set due_at = null',
  );
  await dispatcher.sender.start();
  return receiver;
}

test('what a killed process of this machine had leased is sent at once after a restart', async () => {
  const owner = `${os.hostname()}|999999999|gone`;
  const receiver = await leftBehind(owner, inAnHour());
  await dispatcher.sender.idle();
  expect(receiver.received).toHaveLength(1);
  expect(await statuses()).toEqual([{ status: 'delivered', attempts: 1, count: 1 }]);
  await receiver.stop();
});

test('what another machine had leased is sent once the lease has ended, and not before', async () => {
  const receiver = await leftBehind('elsewhere|1|x', inAnHour());
  await dispatcher.sender.idle();
  expect(receiver.received).toHaveLength(0);
  await setLease('elsewhere|1|x', 0);
  await dispatcher.sender.stop();
  // Leases are looked through every few seconds.
  const { clock } = dispatcher.runtime;
  const wall = clock.wall.bind(clock);
  jest.spyOn(clock, 'wall').mockImplementation(() => wall() + 10_000);
  await dispatcher.sender.start();
  while (receiver.received.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  await dispatcher.sender.idle();
  expect(await statuses()).toEqual([{ status: 'delivered', attempts: 1, count: 1 }]);
  await receiver.stop();
});

test('a sender that lost its lease writes no result', async () => {
  const receiver = await Receiver.start();
  dispatcher = await Dispatcher.start();
  await dispatcher.configure('m1', receiver.url);
  receiver.behaviour = (_, response) =>
    void setLease('elsewhere|1|x', inAnHour()).then(() => response.end());
  await dispatcher.plan(dispatcher.paymentEvent('m1', 'pay_test_1'));
  await dispatcher.sender.idle();
  expect(receiver.received).toHaveLength(1);
  expect(await statuses()).toEqual([{ status: 'pending', attempts: 0, count: 1 }]);
  await receiver.stop();
});

test('the sender gives back what waits too long for a place, and later signs it with the secret of that time', async () => {
  const posts = new HeldPosts();
  posts.isHeld = () => false;
  dispatcher = await Dispatcher.start(posts);
  await dispatcher.configure('m1', LOOPBACK);
  const plan = (count: number, name: string) =>
    dispatcher.plan(
      ...Array.from({ length: count }, (_, index) =>
        dispatcher.paymentEvent('m1', `pay_test_${name}_${index}`),
      ),
    );
  await plan(30, 'quick');
  await dispatcher.sender.idle();

  posts.isHeld = () => true;
  const { clock } = dispatcher.runtime;
  const wall = jest.spyOn(clock, 'wall').mockReturnValue(clock.wall());
  await plan(60, 'held');
  expect(await eventually(leased, (count) => count === 60)).toBe(60);
  wall.mockReturnValue(clock.wall() + 1001);
  expect(await eventually(leased, (count) => count === 4)).toBe(4);
  const fresh = await dispatcher.configure('m1', LOOPBACK);
  posts.isHeld = () => false;
  posts.letGo();
  await dispatcher.sender.idle();

  const after = posts.sent.slice(30 + 4);
  expect(after).toHaveLength(56);
  expect(after.every(({ headers, body }) => isSigned(fresh, headers, String(body)))).toBe(true);
  expect(await statuses()).toEqual([{ status: 'delivered', attempts: 1, count: 90 }]);
});

test('the sender attempts again, under the same delivery id, where it could not record the answer', async () => {
  const receiver = await Receiver.start();
  dispatcher = await Dispatcher.start();
  await dispatcher.configure('m1', receiver.url);
  const { readModels } = dispatcher.runtime;
  const query = readModels.query.bind(readModels);
  const records = 'insert into webhook_dispatcher.attempts';
  const failing = jest.spyOn(readModels, 'query').mockImplementation((text, values) => {
    return text.includes(records) ? Promise.reject(new Error('gone')) : query(text, values);
  });
  await dispatcher.plan(dispatcher.paymentEvent('m1', 'pay_test_1'));
  await eventually(
    () => failing.mock.calls.some(([text]) => text.includes(records)),
    (has_failed) => has_failed,
  );
  await dispatcher.sender.stop();
  failing.mockRestore();
  expect(await statuses()).toEqual([{ status: 'pending', attempts: 0, count: 1 }]);

  await dispatcher.sender.start();
  await dispatcher.sender.idle();
  const [first, second] = receiver.received.map(({ headers }) => headers);
  expect(receiver.received).toHaveLength(2);
  expect(second?.['x-svc-delivery']).toBe(first?.['x-svc-delivery']);
  expect([first?.['x-svc-attempt'], second?.['x-svc-attempt']]).toEqual(['1', '1']);
  expect(await statuses()).toEqual([{ status: 'delivered', attempts: 1, count: 1 }]);
  await receiver.stop();
});

test('healthy endpoints get their webhooks though a hundred others hang', async () => {
  const hanging: ((value: never) => void)[] = [];
  let most_hanging = 0;
  let is_over = false;
  const answered = new Map<string, number>();
  const outbound: Outbound = {
    refusal: () => Promise.resolve(null),
    post: ({ url }: OutboundRequest) => {
      if (url.includes('hang') && !is_over) {
        return new Promise((resolve) => {
          hanging.push(resolve as never);
          most_hanging = Math.max(most_hanging, hanging.length);
        });
      }
      answered.set(url, (answered.get(url) ?? 0) + 1);
      const body = Buffer.alloc(0);
      const answer = { status: 200, body, body_cut: false, retry_after: null, duration_ms: 1 };
      return Promise.resolve({ ok: true, ...answer });
    },
  };
  dispatcher = await Dispatcher.start(outbound);
  const urls = Array.from({ length: 100 }, (_, index) => [
    `${LOOPBACK}hang/${index}`,
    `${LOOPBACK}fine/${index}`,
  ]);
  const merchants = urls.flat().map((url, index) => ({ url, merchant_id: `m${index}` }));
  for (let at = 0; at < merchants.length; at += 20) {
    const some = merchants.slice(at, at + 20);
    await Promise.all(some.map(({ merchant_id, url }) => dispatcher.configure(merchant_id, url)));
  }
  for (let round = 0; round < 10; round += 1) {
    await dispatcher.plan(
      ...merchants.map(({ merchant_id }) =>
        dispatcher.paymentEvent(merchant_id, `pay_${merchant_id}_${round}`),
      ),
    );
  }
  const isServed = () => [...answered.values()].reduce((sum, count) => sum + count, 0) === 1000;
  await eventually(isServed, Boolean);
  await eventually(() => hanging.length, (count) => count >= 400);
  expect(new Set(answered.values())).toEqual(new Set([10]));
  expect(most_hanging).toBe(400);
  const late = { ok: false, failure: 'timed_out', detail: 'late', duration_ms: 15_000 } as never;
  for (const resolve of hanging.splice(0)) resolve(late);
  await eventually(() => hanging.length, (count) => count >= 100);
  expect(hanging).toHaveLength(100);
  is_over = true;
  for (const resolve of hanging) resolve(late);
});

test('an event that waits for an earlier one of its payment holds up no other event of its endpoint', async () => {
  const hanging: ((value: never) => void)[] = [];
  const arrived: string[] = [];
  const answer = { ok: true, status: 200, body: Buffer.alloc(0), body_cut: false } as const;
  dispatcher = await Dispatcher.start({
    refusal: () => Promise.resolve(null),
    post: ({ url, body }: OutboundRequest) => {
      if (url.includes('hang')) return new Promise((resolve) => hanging.push(resolve as never));
      arrived.push(JSON.parse(String(body)).payment.id);
      return Promise.resolve({ ...answer, retry_after: null, duration_ms: 1 });
    },
  });
  const { clock, readModels } = dispatcher.runtime;
  const wall = jest.spyOn(clock, 'wall').mockReturnValue(clock.wall());
  await dispatcher.configure('m1', `${LOOPBACK}hang`);
  await dispatcher.plan(dispatcher.paymentEvent('m1', 'pay_1'));
  await eventually(() => hanging.length, (count) => count === 1);
  await dispatcher.configure('m1', `${LOOPBACK}fine`);
  const looks = jest.spyOn(readModels, 'transaction');
  await dispatcher.plan(
    dispatcher.paymentEvent('m1', 'pay_1', { type: 'payments.payment-confirmed.v1' }),
  );
  const before = looks.mock.calls.length;
  await eventually(() => looks.mock.calls.length, (count) => count >= before + 8);

  // Sooner than leases are looked through.
  wall.mockReturnValue(clock.wall() + 1000);
  await dispatcher.plan(dispatcher.paymentEvent('m1', 'pay_2'));
  await eventually(() => arrived.length, (count) => count > 0);
  expect(arrived).toEqual(['pay_2']);
  hanging[0]?.({ ...answer, retry_after: null, duration_ms: 1000 } as never);
  await dispatcher.sender.idle();
  expect(arrived).toEqual(['pay_2', 'pay_1']);
});

async function leased(): Promise<number> {
  const rows = await dispatcher.runtime.readModels.query(
    'select from webhook_dispatcher.queued_deliveries where lease_owner is not null',
  );
  return rows.length;
}

async function eventually<Value>(
  read: () => Value | Promise<Value>,
  isEnough: (value: Value) => boolean,
): Promise<Value> {
  for (;;) {
    const value = await read();
    if (isEnough(value)) return value;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

function isSigned(secret: string, headers: OutboundRequest['headers'], body: string): boolean {
  const [time, ...signatures] = String(headers['x-svc-signature']).split(',');
  return signatures.includes(`v1=${hexSignature(secret, String(time).slice(2), body)}`);
}

const inAnHour = () => Math.trunc(performance.timeOrigin + performance.now()) + 3_600_000;
