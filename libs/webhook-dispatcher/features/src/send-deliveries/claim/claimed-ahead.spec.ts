import { QUEUES, type Queue } from '../queues';
import { AHEAD_LIMITS, ClaimedAhead, type AheadLimits } from './claimed-ahead';
import type { ClaimedDelivery } from './claimed-delivery';
import { EndpointLoad } from './endpoint-load';

let load: EndpointLoad;
let ahead: ClaimedAhead;
let made = 0;
const begin = (limits: Partial<AheadLimits> = {}) => {
  load = new EndpointLoad();
  ahead = new ClaimedAhead(load, { ...AHEAD_LIMITS, ...limits });
};
beforeEach(() => begin());

const M1 = 'test:m1';
function wait(endpoint_id: string, queue: Queue = QUEUES.first, claimed_at = 0): string {
  made += 1;
  const claimed = { id: `wh_${made}`, mode: 'test', merchant_id: 'm1', endpoint_id };
  ahead.add({ claimed: claimed as ClaimedDelivery, queue, claimed_at });
  return claimed.id;
}
const start = () => ahead.next(M1, 0)?.claimed.id;
const fly = (endpoint_id: string, merchant = M1) =>
  load.started({ endpoint_id, merchant, queue: QUEUES.first, started_at: 0 });

test.each([
  [1, 64],
  [20, 50],
  [500, 2],
  [1500, 0],
])('an endpoint that answers in %d ms has %d waiting at most', (duration_ms, most) => {
  expect(ahead.roomOf('e1', QUEUES.first)).toBe(0);
  load.noteAnswer('e1', duration_ms, false);
  expect(ahead.roomOf('e1', QUEUES.first)).toBe(most);
});

test('after a time-out the endpoint has nothing waiting', () => {
  load.noteAnswer('e1', 1, false);
  load.noteAnswer('e1', 15_000, true);
  expect(ahead.roomOf('e1', QUEUES.first)).toBe(0);
});

test('the sender claims nothing more until half of what waits has started; each queue has room of its own', () => {
  begin({ endpoint_max: 8 });
  load.noteAnswer('e1', 1, false);
  for (let index = 0; index < 8; index += 1) wait('e1');
  for (let index = 0; index < 3; index += 1) start();
  expect([ahead.roomOf('e1', QUEUES.first), ahead.roomOf('e1', QUEUES.retry)]).toEqual([0, 8]);
  start();
  expect(ahead.roomOf('e1', QUEUES.first)).toBe(4);
});

test('all together and those of a merchant have a limit', () => {
  begin({ total_max: 3, merchant_max: 2 });
  load.noteAnswer('e1', 1, false);
  wait('e1');
  expect([ahead.roomOf('e1', QUEUES.first), ahead.roomOfMerchant(M1)]).toEqual([2, 1]);
  wait('e2');
  expect(ahead.full(QUEUES.first).merchants).toEqual([M1]);
});

test('an endpoint with four attempts in flight is full unless something may wait for it', () => {
  for (const endpoint_id of ['e1', 'e2']) {
    for (let index = 0; index < 4; index += 1) fly(endpoint_id);
  }
  load.noteAnswer('e1', 1, false);
  expect(ahead.full(QUEUES.first).endpoints).toEqual(['e2']);
});

test('what waits starts when there is a place for its endpoint and its merchant', () => {
  wait('e1');
  for (let index = 0; index < 4; index += 1) fly('e1');
  expect(start()).toBeUndefined();
  const other = wait('e2');
  for (let index = 0; index < 12; index += 1) fly(`other-${index}`);
  expect(start()).toBeUndefined();
  load.ended({ endpoint_id: 'other-0', merchant: M1, queue: QUEUES.first, started_at: 0 });
  expect(start()).toBe(other);
});

test('the endpoints of a merchant take turns, and so do the queues of an endpoint', () => {
  const [one, two] = [wait('e1'), wait('e1')];
  const retry = wait('e1', QUEUES.retry);
  const [three, four] = [wait('e2'), wait('e2')];
  expect([start(), start(), start(), start(), start()]).toEqual([one, three, retry, four, two]);
  expect([start(), ahead.size, ahead.merchants]).toEqual([undefined, 0, []]);
});

test('what has waited too long is taken out, and the sender claims nothing ahead before an answer', () => {
  load.noteAnswer('e1', 1, false);
  const old = wait('e1', QUEUES.first, 10);
  const young = wait('e1', QUEUES.first, 20);
  const ids = ahead.takeOlderThan(20).map(({ claimed }) => claimed.id);
  expect([ids, ahead.size, start()]).toEqual([[old], 1, young]);
  expect(ahead.roomOf('e1', QUEUES.first)).toBe(0);
  load.noteAnswer('e1', 1, false);
  expect(ahead.roomOf('e1', QUEUES.first)).toBe(64);
});

test('all that waits for a merchant is taken out in both queues, and says nothing of its endpoints', () => {
  load.noteAnswer('e1', 1, false);
  const ids = [wait('e1'), wait('e1', QUEUES.retry), wait('e2')];
  expect(ahead.takeOf('test:m2')).toEqual([]);
  expect(ahead.takeOf(M1).map(({ claimed }) => claimed.id)).toEqual(ids);
  expect([ahead.size, ahead.merchants, start()]).toEqual([0, [], undefined]);
  expect(ahead.roomOf('e1', QUEUES.first)).toBe(64);
});
