import fc from 'fast-check';
import {
  categoryOf,
  copyLog,
  hashOf,
  LogsDiffer,
  verifyCopy,
  type EventStore,
  type LogSource,
  type MovedEvent,
  type NewEvent,
  type StoredEvent,
  type StreamName,
} from '@tender/eventing';
import { sampleEvent } from '@tender/eventing/testing';
import { memoryEventStore } from './memory-event-store';

/** Appends to `streams[choice]` for each choice, chained by hashes as a command handler does. */
async function write(
  store: EventStore,
  streams: readonly StreamName[],
  choices: readonly number[],
) {
  for (const choice of choices) {
    const stream = streams[choice % streams.length] as StreamName;
    const history = await store.load(stream);
    const last = history.at(-1);
    await store.append(
      stream,
      [chained(sampleEvent(stream, { note: choice, 'size\\"': '1' }), last)],
      last ? last.revision : 'no_stream',
    );
  }
}

const chained = (event: NewEvent, before: NewEvent | undefined): NewEvent => ({
  ...event,
  metadata: { ...event.metadata, prev_hash: before ? hashOf(before) : null },
});

const sourceOf = (events: readonly StoredEvent[], page_size = 7): LogSource => ({
  categories: async () => [...new Set(events.map(({ stream }) => categoryOf(stream)))],
  async *pages(after) {
    const rest = events.filter(({ position }) => Number(position) > Number(after ?? 0));
    for (let at = 0; at < rest.length; at += page_size) yield rest.slice(at, at + page_size);
  },
});

function movedInMemory() {
  const all: MovedEvent[] = [];
  return {
    all,
    last: async () => all.at(-1) ?? null,
    keep: async (moved: readonly MovedEvent[]) => void all.push(...moved),
    find: async () => new Map(all.map(({ from, to }) => [from, to])),
  };
}

const STREAMS = ['payment.test-a', 'payment.live-b', 'merchant.all-c', 'payment.test-d'] as const;

/** An old log, and a new one whose positions are others. */
async function twoLogs(choices: readonly number[] = [0, 1, 0, 2, 2, 3, 0, 1]) {
  const [old, target] = [memoryEventStore(), memoryEventStore()];
  await write(old, STREAMS, choices);
  await write(target, ['other.test-z'], [0, 0, 0]);
  return { old, target, source: sourceOf(old.all), moved: movedInMemory() };
}

const copies = (store: { all: readonly StoredEvent[] }) =>
  store.all
    .filter(({ stream }) => !stream.startsWith('other'))
    .map(({ position: _, ...event }) => event);

test('every event is copied in log order, with its revision, id, data and metadata', async () => {
  const { old, target, source, moved } = await twoLogs();
  expect(await copyLog({ source, target, moved })).toBe(8);
  expect(copies(target)).toEqual(copies(old));
  expect(moved.all.at(0)).toEqual({ from: '1', to: '4' });
  expect(await verifyCopy({ source, target, moved })).toEqual({ events: 8, streams: 4 });
});

test('nothing is a log, too', async () => {
  const { target, moved } = await twoLogs([]);
  const source = sourceOf([]);
  expect(await copyLog({ source, target, moved })).toBe(0);
  expect(await verifyCopy({ source, target, moved })).toEqual({ events: 0, streams: 0 });
});

test('cut off anywhere, a copy goes on and ends the same', async () => {
  const choices = fc.array(fc.nat(3), { minLength: 1, maxLength: 30 });
  const sizes = fc.integer({ min: 1, max: 9 });
  const cuts = fc.array(fc.record({ appends: fc.nat(8), is_kept: fc.boolean() }), { maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(choices, cuts, sizes, async (written, deaths, size) => {
      const { old, target, moved } = await twoLogs(written);
      for (const { appends, is_kept } of deaths) {
        let left = appends;
        const dying: EventStore = {
          ...target,
          append(...asked) {
            left -= 1;
            if (left < 0 && !is_kept) throw new Error('killed');
            return target.append(...asked);
          },
        };
        const keep = (pairs: readonly MovedEvent[]) =>
          is_kept && left < 0 ? Promise.reject(new Error('killed')) : moved.keep(pairs);
        const source = sourceOf(old.all, size);
        await copyLog({ source, target: dying, moved: { ...moved, keep } }).catch(() => undefined);
      }
      const source = sourceOf(old.all, size);
      await copyLog({ source, target, moved });
      expect(copies(target)).toEqual(copies(old));
      expect(moved.all.map(({ from }) => from)).toEqual(old.all.map(({ position }) => position));
      const streams = new Set(written.map((choice) => choice % STREAMS.length)).size;
      const verified = await verifyCopy({ source, target, moved });
      expect(verified).toEqual({ events: written.length, streams });
    }),
    { numRuns: 60 },
  );
});

test('a new log that holds something else under a name is not written on', async () => {
  const { target, source, moved } = await twoLogs();
  await write(target, ['payment.live-b'], [9]);
  await expect(copyLog({ source, target, moved })).rejects.toThrow(LogsDiffer);
});

describe('a copy that is not one is found', () => {
  test('an event that was left out', async () => {
    const { old, target, source, moved } = await twoLogs();
    await copyLog({ source: sourceOf(old.all.slice(0, -1)), target, moved });
    const verified = verifyCopy({ source, target, moved });
    await expect(verified).rejects.toThrow('payment.live-b at revision 1: is not in the new log');
  });

  test('an event too many', async () => {
    const { target, source, moved } = await twoLogs();
    await copyLog({ source, target, moved });
    await write(target, ['payment.test-e'], [0]);
    const verified = verifyCopy({ source, target, moved });
    await expect(verified).rejects.toThrow('payment.test-e at revision 0: is in the new log alone');
  });

  test('an event that says something else', async () => {
    const { old, target, source, moved } = await twoLogs();
    const altered = old.all.map((event, at) => (at === 4 ? { ...event, data: { note: 'x' } } : event));
    await copyLog({ source: sourceOf(altered), target, moved });
    await expect(verifyCopy({ source, target, moved })).rejects.toThrow(LogsDiffer);
  });

  test('another order', async () => {
    const { old, target, source, moved } = await twoLogs([0, 1]);
    await copyLog({ source: sourceOf([...old.all].reverse()), target, moved });
    await expect(verifyCopy({ source, target, moved })).rejects.toThrow(LogsDiffer);
  });

  test('a position that is not the one that was kept', async () => {
    const { target, source, moved } = await twoLogs();
    await copyLog({ source, target, moved });
    moved.all[3] = { from: '4', to: '1' };
    await expect(verifyCopy({ source, target, moved })).rejects.toThrow('which is not what was kept');
  });

  test('a chain that was broken before', async () => {
    const { old, target, moved } = await twoLogs();
    const broken = old.all.map((event) =>
      event.revision === 1 ? { ...event, metadata: { ...event.metadata, prev_hash: 'f00' } } : event,
    );
    await copyLog({ source: sourceOf(broken), target, moved });
    const verified = verifyCopy({ source: sourceOf(broken), target, moved });
    await expect(verified).rejects.toThrow('its hash is another');
  });
});
