import type { StoredEvent, StreamName } from '@tender/eventing';
import { GatheredLoads } from './gathered-loads';

const event = (stream: StreamName, revision: number) => ({ stream, revision }) as StoredEvent;
const names = (count: number) =>
  Array.from({ length: count }, (_, index): StreamName => `note.test-${index}`);
let reads: (readonly StreamName[])[];
let read: (streams: readonly StreamName[]) => Promise<readonly StoredEvent[]>;
let loads: GatheredLoads;

beforeEach(() => {
  reads = [];
  read = async (streams) => streams.flatMap((stream) => [event(stream, 0), event(stream, 1)]);
  loads = new GatheredLoads((streams) => {
    reads.push(streams);
    return read(streams);
  });
});

test('what is asked for in one turn is read at once, each stream once, and each caller gets its own', async () => {
  const asked: StreamName[] = ['note.test-a', 'note.test-b', 'note.test-a'];
  const loaded = await Promise.all(asked.map((stream) => loads.load(stream)));
  expect(reads).toEqual([['note.test-a', 'note.test-b']]);
  expect(loaded).toEqual(asked.map((stream) => [event(stream, 0), event(stream, 1)]));
});

test('a stream without events is empty', async () => {
  read = async () => [event('note.test-a', 0)];
  const loaded = await Promise.all([loads.load('note.test-a'), loads.load('note.test-b')]);
  expect(loaded).toEqual([[event('note.test-a', 0)], []]);
});

test('what is asked for after a read has begun is read anew', async () => {
  const first = loads.load('note.test-a');
  await new Promise((resolve) => setImmediate(resolve));
  await Promise.all([first, loads.load('note.test-a')]);
  expect(reads).toHaveLength(2);
});

test('a read is of no more than 32 streams', async () => {
  await Promise.all(names(70).map((stream) => loads.load(stream)));
  expect(reads.map(({ length }) => length)).toEqual([32, 32, 6]);
});

test('a read that fails is a failure of all that wait for it, and of no other', async () => {
  read = () => Promise.reject(new Error('away'));
  const failed = await Promise.allSettled(names(2).map((stream) => loads.load(stream)));
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  read = async (streams) => streams.map((stream) => event(stream, 0));
  expect(await loads.load('note.test-0')).toEqual([event('note.test-0', 0)]);
});
