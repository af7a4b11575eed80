import { replayByFollowing, type Position, type StreamName } from '@tender/eventing';
import { noteOf, sampleEvent } from '@tender/eventing/testing';
import { memoryEventStore } from './memory-event-store';

const store = memoryEventStore();
const nothing = { events: 0, capped: false, seconds: 0 };
const log = replayByFollowing(store, { lag: async () => nothing, close: async () => undefined });
const positions: Position[] = [];

beforeAll(async () => {
  for (let index = 0; index < 20; index += 1) {
    const stream: StreamName = `note.${index % 4 === 3 ? 'live' : 'test'}-${index}`;
    const appended = await store.append(stream, [sampleEvent(stream, { note: index })], 'no_stream');
    if (appended.ok) positions.push(appended.position);
  }
});

async function read(from: Position | null, until: Position | null, take = Infinity) {
  const batches: unknown[][] = [];
  for await (const events of log.batches(['note.test'], from, until, 4)) {
    batches.push(events.map(noteOf));
    if (batches.length >= take) break;
  }
  return batches;
}

test('everything that the log holds, in batches, and then an end', async () => {
  expect(await read(null, null)).toEqual([
    [0, 1, 2, 4],
    [5, 6, 8, 9],
    [10, 12, 13, 14],
    [16, 17, 18],
  ]);
});

test('between two positions, though the second is of another category', async () => {
  expect((await read(positions[4]!, positions[11]!)).flat()).toEqual([5, 6, 8, 9, 10]);
  expect(await read(positions[19]!, positions[19]!)).toEqual([]);
});

test('a reader that stops early leaves no follower behind', async () => {
  expect(await read(null, null, 1)).toEqual([[0, 1, 2, 4]]);
  expect((await read(null, null)).flat()).toHaveLength(15);
});
