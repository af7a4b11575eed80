import os from 'node:os';
import type { Outbound, OutboundRequest } from '@tender/eventing';
import { Dispatcher } from './testing/dispatcher';
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

/** Planned, and taken by a sender that then died. */
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

test('what a killed process of this machine had taken is sent at once after a restart', async () => {
  const owner = `${os.hostname()}|999999999|gone`;
  const receiver = await leftBehind(owner, inAMinute());
  await dispatcher.sender.idle();
  expect(receiver.received).toHaveLength(1);
  expect(await statuses()).toEqual([{ status: 'delivered', attempts: 1, count: 1 }]);
  await receiver.stop();
});

test('what another machine had taken is sent once its lease has ended, and not before', async () => {
  const receiver = await leftBehind('elsewhere|1|x', inAMinute());
  await dispatcher.sender.idle();
  expect(receiver.received).toHaveLength(0);
  await setLease('elsewhere|1|x', 0);
  await dispatcher.sender.stop();
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
    void setLease('elsewhere|1|x', inAMinute()).then(() => response.end());
  await dispatcher.plan(dispatcher.paymentEvent('m1', 'pay_test_1'));
  await dispatcher.sender.idle();
  expect(receiver.received).toHaveLength(1);
  expect(await statuses()).toEqual([{ status: 'pending', attempts: 0, count: 1 }]);
  await receiver.stop();
});

test('healthy endpoints are served though a hundred others hang', async () => {
  const hanging: ((value: never) => void)[] = [];
  let most_hanging = 0;
  const answered = new Map<string, number>();
  const outbound: Outbound = {
    refusal: () => Promise.resolve(null),
    post: ({ url }: OutboundRequest) => {
      if (url.includes('hang')) {
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
  await Promise.all(
    merchants.map(({ merchant_id, url }) => dispatcher.configure(merchant_id, url)),
  );
  for (let round = 0; round < 10; round += 1) {
    await dispatcher.plan(
      ...merchants.map(({ merchant_id }) =>
        dispatcher.paymentEvent(merchant_id, `pay_${merchant_id}_${round}`),
      ),
    );
  }
  const isServed = () => [...answered.values()].reduce((sum, count) => sum + count, 0) === 1000;
  while (!isServed()) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(new Set(answered.values())).toEqual(new Set([10]));
  expect(most_hanging).toBe(400);
  for (const resolve of hanging.splice(0)) {
    resolve({ ok: false, failure: 'timed_out', detail: 'late', duration_ms: 15_000 } as never);
  }
  while (hanging.length < 100) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(hanging).toHaveLength(100);
});


const inAMinute = () => Math.trunc(performance.timeOrigin + performance.now()) + 60_000;
