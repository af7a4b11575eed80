import type { Delays } from '../ports/delays';
import type { StoredEvent } from '../events/event';
import { Unavailable } from '../ports/failures';
import type { Log } from '../ports/log';
import { LogFollower } from './log-follower';
import { sampleEvent } from '../testing';

const stored = (position: number): StoredEvent => ({
  ...sampleEvent('note.test-a'),
  stream: 'note.test-a',
  revision: position - 1,
  position: String(position),
});

/** Time that stands still: what waits for it waits for ever. */
function standingTime() {
  const waiting = new Set<() => void>();
  let tell: () => void = () => undefined;
  const delays: Delays = {
    after(_, work) {
      waiting.add(work);
      tell();
      return () => void waiting.delete(work);
    },
  };
  const untilWaiting = (count: number) =>
    new Promise<void>((resolve) => {
      tell = () => void (waiting.size === count && resolve());
      tell();
    });
  return { delays, waiting, untilWaiting };
}

test('stop ends every pause: that of the batch that fails, and that of reading ahead', async () => {
  const { delays, waiting, untilWaiting } = standingTime();
  const away = () => Promise.reject(new Unavailable('postgres'));
  const log = { warn: () => undefined } as unknown as Log;
  const source = {
    mark: () => ({ position: 2, wall_ms: 0 }),
    head: () => 2,
    read: (_: unknown, after: number) => (after === 0 ? [stored(1)] : away()),
  };
  const follower = new LogFollower(source, delays, log, {
    name: 'notes',
    categories: ['note.test'],
    from: null,
    batch_max: 1,
    onEvents: away,
  });
  await untilWaiting(2);
  const stopped = follower.stop();
  expect(waiting.size).toBe(0);
  await stopped;
  expect(follower.position).toBe(0);
});
