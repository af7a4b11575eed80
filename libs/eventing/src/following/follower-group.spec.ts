import { FollowerGroup } from './follower-group';

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** A group over an empty log, the pauses that it asks for, and how often it has looked at the log's mark. */
function group(has_heartbeat?: boolean) {
  const waiting: { readonly delay_ms: number; readonly work: () => void }[] = [];
  const delays = {
    after(delay_ms: number, work: () => void) {
      waiting.push({ delay_ms, work });
      return () => undefined;
    },
  };
  let looks = 0;
  const followers = new FollowerGroup(delays, log, has_heartbeat);
  const follower = followers.follow(
    {
      mark() {
        looks += 1;
        return { position: 0, wall_ms: 0 };
      },
      head: () => 0,
      read: () => [],
    },
    { name: 'a list', categories: ['payment.test'], from: null, onEvents: () => Promise.resolve() },
  );
  return { followers, follower, waiting, looks: () => looks };
}

test('it wakes its followers once a second by itself', async () => {
  const { follower, waiting, looks } = group();
  await new Promise(setImmediate);
  expect(waiting.map(({ delay_ms }) => delay_ms)).toEqual([1_000]);
  const before = looks();
  waiting.shift()?.work();
  expect(looks()).toBeGreaterThan(before);
  expect(waiting.map(({ delay_ms }) => delay_ms)).toEqual([1_000]);
  await follower.stop();
});

test('without a heartbeat it waits to be told', async () => {
  const { followers, follower, waiting, looks } = group(false);
  await new Promise(setImmediate);
  expect(waiting).toEqual([]);
  const before = looks();
  followers.wakeAll();
  expect(looks()).toBeGreaterThan(before);
  await follower.stop();
});
