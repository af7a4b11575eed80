import { QUEUES } from '../queues';
import { EndpointLoad, LOAD_LIMITS, type Flight } from './endpoint-load';

const flight = (endpoint_id: string, more: Partial<Flight> = {}): Flight => ({
  endpoint_id,
  merchant: 'test:m1',
  queue: QUEUES.first,
  started_at: 0,
  ...more,
});

const NOTHING = { first: 0, retry: 0, slow: 0 };

test('an endpoint has four places and a merchant sixteen', () => {
  const load = new EndpointLoad();
  for (let index = 0; index < 4; index += 1) load.started(flight('e1'));
  expect([load.roomOf('e1'), load.roomOf('e2')]).toEqual([0, 4]);
  expect(load.full()).toEqual({ endpoints: ['e1'], merchants: [] });
  for (let index = 0; index < 12; index += 1) load.started(flight(`other-${index}`));
  expect(load.full().merchants).toEqual(['test:m1']);
});

test('an attempt that ends gives its place back', () => {
  const load = new EndpointLoad();
  const flights = [1, 2, 3, 4].map(() => flight('e1'));
  for (const one of flights) load.started(one);
  for (const one of flights) load.ended(one);
  expect([load.roomOf('e1'), load.inFlight, load.roomOfMerchant('test:m1')]).toEqual([4, NOTHING, 16]);
});

test.each([
  ['a time-out', 15_000, true],
  ['an answer after more than 3 s', 3001, false],
])('%s makes an endpoint slow: one place until 20 quick answers', (_, duration_ms, timed_out) => {
  const load = new EndpointLoad();
  load.noteAnswer('e1', duration_ms, timed_out);
  expect(load.roomOf('e1')).toBe(1);
  for (let index = 0; index < 19; index += 1) load.noteAnswer('e1', 999, false);
  expect(load.roomOf('e1')).toBe(1);
  load.noteAnswer('e1', 999, false);
  expect(load.roomOf('e1')).toBe(4);
});

test('a slower answer begins the count anew', () => {
  const load = new EndpointLoad();
  load.noteAnswer('e1', 15_000, true);
  for (let index = 0; index < 19; index += 1) load.noteAnswer('e1', 10, false);
  load.noteAnswer('e1', 1000, false);
  load.noteAnswer('e1', 10, false);
  expect(load.roomOf('e1')).toBe(1);
});

test('one slow answer in twenty-one does not count', () => {
  const load = new EndpointLoad();
  for (let index = 0; index < 20; index += 1) load.noteAnswer('e1', 10, false);
  load.noteAnswer('e1', 5000, false);
  expect(load.roomOf('e1')).toBe(4);
});

test('attempts give the place of their queue back after a second: hanging endpoints do not fill it', () => {
  const load = new EndpointLoad({ ...LOAD_LIMITS, queue_max: { 0: 2, 1: 1 }, slow_max: 2 });
  const hanging = [flight('e1'), flight('e2')];
  for (const one of hanging) load.started(one);
  expect([load.placesOf(QUEUES.first, 999), load.placesOf(QUEUES.retry, 999)]).toEqual([0, 1]);
  expect(load.placesOf(QUEUES.first, 1000)).toBe(2);
  load.noteAnswer('e3', 15_000, true);
  expect(load.roomOf('e3')).toBe(0);
  for (const one of hanging) load.ended(one);
  expect([load.roomOf('e3'), load.inFlight]).toEqual([1, NOTHING]);
});
