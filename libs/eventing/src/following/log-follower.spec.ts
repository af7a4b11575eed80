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

describe('while there is nothing for it', () => {
  const NEVER: Delays = { after: () => () => undefined };
  const log = { warn: () => undefined } as unknown as Log;

  /** A log whose end moves as the test says, with nothing for the follower in it. */
  function othersLog(onProgress: (position: string) => Promise<void> | void) {
    const end = { position: 0, reads: 0, hasNone: true };
    const source = {
      mark: () => ({ position: end.position, wall_ms: 0 }),
      head: () => end.position,
      read: () => {
        end.reads += 1;
        return [];
      },
      hasNone: () => end.hasNone,
    };
    const follower = new LogFollower(source, NEVER, log, {
      ...{ name: 'notes', categories: ['note.test'], from: null },
      onEvents: () => Promise.resolve(),
      onProgress,
    });
    return { end, follower };
  }
  const asleep = () => new Promise((resolve) => setImmediate(resolve));

  test('it tells of progress at once, and sleeps on', async () => {
    const told: string[] = [];
    const { end, follower } = othersLog((position) => void told.push(position));
    await asleep();
    for (end.position = 1; end.position <= 3; end.position += 1) {
      follower.wake();
      expect(told.at(-1)).toBe(String(end.position));
      expect(follower.position).toBe(end.position);
    }
    expect(end.reads).toBe(0);

    end.hasNone = false;
    follower.wake();
    expect(told).toHaveLength(4);
    await asleep();
    expect(told).toHaveLength(5);
    expect(end.reads).toBe(1);
    await follower.stop();
  });

  test('it waits until its progress is written before it tells of more, and before it stops', async () => {
    const writes: (() => void)[] = [];
    const { end, follower } = othersLog((position) =>
      position === '0' ? undefined : new Promise<void>((written) => writes.push(written)),
    );
    await asleep();
    end.position = 1;
    follower.wake();
    end.position = 2;
    follower.wake();
    await asleep();
    expect(writes).toHaveLength(1);
    expect(follower.position).toBe(0);

    writes[0]?.();
    await asleep();
    expect(follower.position).toBe(1);
    expect(writes).toHaveLength(2);

    let stopped = false;
    const stopping = follower.stop().then(() => (stopped = true));
    await asleep();
    expect(stopped).toBe(false);
    writes[1]?.();
    await stopping;
    expect(follower.position).toBe(2);
  });

  test('who hears of progress may wake it again, and stop it', async () => {
    const told: string[] = [];
    let written = (): void => undefined;
    const { end, follower } = othersLog((position) => {
      told.push(position);
      if (position === '1') {
        end.position = 2;
        follower.wake();
      }
      if (position === '2') return new Promise<void>((resolve) => (written = resolve));
      if (position === '4') void follower.stop();
    });
    await asleep();
    end.position = 1;
    follower.wake();
    await asleep();
    end.position = 3;
    follower.wake();
    await asleep();
    expect(told).toEqual(['0', '1', '2']);
    written();
    await asleep();
    expect(told).toEqual(['0', '1', '2', '3']);
    end.position = 4;
    follower.wake();
    expect(told).toEqual(['0', '1', '2', '3', '4']);
    await follower.stop();
  });
});
