import type { StoredEvent, StreamName } from '@tender/eventing';
import { KnownStreams } from './known-streams';

const A: StreamName = 'note.test-a';
const eventsOf = (...revisions: number[]): readonly StoredEvent[] =>
  revisions.map((revision) => ({ stream: A, revision }) as StoredEvent);
const upTo = (count: number) => eventsOf(...Array.from({ length: count }, (_, at) => at));

let table: readonly StoredEvent[];
let reads: number;
let held: Promise<void>;
let known: KnownStreams;

beforeEach(() => {
  [table, reads, held] = [upTo(2), 0, Promise.resolve()];
  known = new KnownStreams(async () => {
    reads += 1;
    const read = table;
    await held;
    return read;
  });
});

/** As the log does: first the table, then the streams in memory. */
function append(): void {
  const added = eventsOf(table.length);
  table = [...table, ...added];
  known.appended(A, added);
}

/** A read that has begun, and ends when it is told to. */
function heldRead() {
  const { promise, resolve } = Promise.withResolvers<void>();
  held = promise;
  return { reading: known.load(A), end: resolve };
}

test('a stream is read once, and is then known by what is appended', async () => {
  expect(await known.load(A)).toEqual(upTo(2));
  append();
  append();
  expect(await known.load(A)).toEqual(upTo(4));
  expect(reads).toBe(1);
});

test('a stream without events is known, too', async () => {
  table = [];
  expect(await known.load(A)).toEqual([]);
  append();
  expect(await known.load(A)).toEqual(upTo(1));
  expect(reads).toBe(1);
});

test('a caller keeps what it has loaded', async () => {
  const loaded = await known.load(A);
  append();
  expect(loaded).toEqual(upTo(2));
});

test('what was appended during a read is not missed after it', async () => {
  const { reading, end } = heldRead();
  append();
  end();
  await reading;
  expect(await known.load(A)).toEqual(upTo(3));
});

test('what a read has seen before its append was answered is there once', async () => {
  const added = eventsOf(table.length);
  table = [...table, ...added];
  await known.load(A);
  known.appended(A, added);
  expect(await known.load(A)).toEqual(upTo(3));
});

test('an older read that ends last takes nothing away', async () => {
  const older = heldRead();
  append();
  const newer = heldRead();
  newer.end();
  await newer.reading;
  older.end();
  await older.reading;
  expect(await known.load(A)).toEqual(upTo(3));
});

/** The test answers each read, in any order: the log is read over several connections. */
function toldReads() {
  const answers: ((events: readonly StoredEvent[]) => void)[] = [];
  const streams = new KnownStreams(() => new Promise((resolve) => void answers.push(resolve)));
  const begin = () => {
    const reading = streams.load(A);
    const answer = answers.at(-1) as (events: readonly StoredEvent[]) => void;
    return { reading, answer };
  };
  return { streams, begin };
}

test.each(['before', 'after'] as const)(
  'what one read has seen before its append was answered, the next has seen: another answers without it %s',
  async (when) => {
    const { streams, begin } = toldReads();
    const [newer, older] = [begin(), begin()];
    const answers = [() => older.answer(upTo(2)), () => newer.answer(upTo(3))];
    for (const answer of when === 'before' ? answers : answers.toReversed()) {
      answer();
      await new Promise(setImmediate);
    }
    expect([await newer.reading, await older.reading]).toEqual([upTo(3), upTo(2)]);
    const next = begin();
    next.answer(upTo(3));
    expect(await next.reading).toEqual(upTo(3));
    streams.appended(A, eventsOf(2));
    expect(await streams.load(A)).toEqual(upTo(3));
  },
);

test('what a read has seen, those that were begun anew beside it do not take back', async () => {
  const { streams, begin } = toldReads();
  const older = begin();
  streams.forget(A);
  const anew = begin();
  older.answer(upTo(3));
  expect(await older.reading).toEqual(upTo(3));
  anew.answer(upTo(2));
  await anew.reading;
  const next = begin();
  next.answer(upTo(3));
  expect(await next.reading).toEqual(upTo(3));
});

test.each(['forget', 'doubt'] as const)('after %s it is read anew, also by a read under way', async (how) => {
  await known.load(A);
  known[how](A);
  const { reading, end } = heldRead();
  known[how](A);
  table = upTo(3);
  end();
  await reading;
  expect(await known.load(A)).toEqual(upTo(3));
});

test('of a stream in doubt nothing is kept until all is forgotten', async () => {
  known.doubt(A);
  await known.load(A);
  await known.load(A);
  expect(reads).toBe(2);
  known.forgetAll();
  await known.load(A);
  await known.load(A);
  expect(reads).toBe(3);
});

test('what another process wrote meanwhile is read after all was forgotten, also by a read under way', async () => {
  const { reading, end } = heldRead();
  known.forgetAll();
  end();
  await reading;
  table = upTo(3);
  expect(await known.load(A)).toEqual(upTo(3));
});

test('a read that fails is a failure of its caller alone', async () => {
  held = Promise.reject(new Error('away'));
  await expect(known.load(A)).rejects.toThrow('away');
  held = Promise.resolve();
  expect(await known.load(A)).toEqual(upTo(2));
});

test('a long stream is read each time', async () => {
  table = upTo(300);
  await known.load(A);
  await known.load(A);
  expect(reads).toBe(2);
});

test('memory is bounded: those of long ago are read again', async () => {
  table = upTo(200);
  for (let stream = 0; stream < 40; stream += 1) await known.load(`note.test-${stream}`);
  await known.load('note.test-0');
  await known.load('note.test-39');
  expect(reads).toBe(41);
});
