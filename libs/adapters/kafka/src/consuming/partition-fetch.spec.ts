import type { LaneRecord } from './lane-records';
import { PartitionFetch, type PartitionReader } from './partition-fetch';

const recordsOf = (first: number, last: number): LaneRecord[] =>
  Array.from({ length: last - first + 1 }, (_, n) => ({
    ...{ offset: BigInt(first + n), position: null, landmark: null },
    ...{ located: null, progress_ms: null },
  }));

/** Takes what it wants in order; what comes in no order is a fault of the fetch. */
class ReaderDouble implements PartitionReader {
  readonly taken: number[] = [];
  full = false;
  constructor(private at: bigint | null) {}
  get wanted(): bigint | null {
    return this.full ? null : this.at;
  }
  push(records: readonly LaneRecord[]): void {
    expect(records[0]?.offset).toBe(this.at);
    this.at = (records.at(-1) as LaneRecord).offset + 1n;
    this.taken.push(...records.map(({ offset }) => Number(offset)));
  }
  takeAgain(first: bigint, lost: bigint): void {
    if (this.at !== null && this.at > lost) this.at = first;
  }
  begin(offset: number): void {
    this.at = BigInt(offset);
  }
}

let said: string[];
let fetch: PartitionFetch;

beforeEach(() => {
  said = [];
  fetch = new PartitionFetch({
    seek: (offset) => void said.push(`seek ${offset}`),
    pause: () => void said.push('pause'),
    resume: () => void said.push('resume'),
  });
  said = [];
});

/** They are fetched: how often they were read. The partition ends at 100 unless told. */
function pass(first: number, last: number, end = 100): number {
  let reads = 0;
  fetch.pass({
    ...{ first: BigInt(first), next: BigInt(last) + 1n, end: BigInt(end) },
    read() {
      reads += 1;
      return recordsOf(first, last);
    },
  });
  return reads;
}

function reader(at: number | null): ReaderDouble {
  const made = new ReaderDouble(at === null ? null : BigInt(at));
  fetch.add(made);
  fetch.settle();
  return made;
}

test('what was fetched goes to all that want it, and the next fetch goes on', () => {
  const [one, other] = [reader(0), reader(0)];
  said = [];
  const reads = [pass(0, 2), pass(3, 3)];
  expect([one.taken, other.taken, said]).toEqual([[0, 1, 2, 3], [0, 1, 2, 3], []]);
  expect(reads).toEqual([1, 1]);
});

test('it begins with the one that is furthest behind; the others take only what is new to them', () => {
  const [ahead, behind] = [reader(5), reader(2)];
  expect(said.filter((what) => what.startsWith('seek'))).toEqual(['seek 5', 'seek 2']);
  pass(2, 6);
  expect([ahead.taken, behind.taken]).toEqual([[5, 6], [2, 3, 4, 5, 6]]);
});

test('a reader that comes later has what it wants fetched anew, and takes nothing before', () => {
  const first = reader(0);
  pass(0, 9);
  said = [];
  const late = reader(3);
  expect(said).toEqual(['seek 3']);
  pass(3, 11);
  expect([first.taken.at(-1), first.taken.length, late.taken[0]]).toEqual([11, 12, 3]);
});

test('one that is full is passed by, and is gone back for', () => {
  const [quick, slow] = [reader(0), reader(0)];
  pass(0, 4);
  slow.full = true;
  said = [];
  pass(5, 9);
  expect([quick.taken.length, slow.taken.length, said]).toEqual([10, 5, []]);
  slow.full = false;
  fetch.settle();
  expect(said).toEqual(['seek 5']);
  pass(5, 12);
  expect([quick.taken.length, slow.taken.length]).toEqual([13, 13]);
});

test('once one that was gone back for is full again, the others are gone on for', () => {
  const [quick, slow] = [reader(0), reader(0)];
  slow.full = true;
  pass(0, 9);
  slow.full = false;
  fetch.settle();
  said = [];
  slow.push = (records) => {
    ReaderDouble.prototype.push.call(slow, records);
    slow.full = true;
  };
  pass(0, 4);
  expect([said, quick.taken.length, slow.taken.length]).toEqual([['seek 10'], 10, 5]);
});

test('where none takes anything, nothing is fetched until one does', () => {
  const only = reader(0);
  only.push = (records) => {
    ReaderDouble.prototype.push.call(only, records);
    only.full = true;
  };
  said = [];
  pass(0, 4);
  expect(said).toEqual(['pause']);
  only.full = false;
  fetch.settle();
  expect(said).toEqual(['pause', 'resume']);
});

test('what comes before any reader knows where to begin is fetched again', () => {
  const only = reader(null);
  expect(pass(0, 4)).toBe(0);
  only.begin(0);
  fetch.settle();
  expect(said).toEqual(['pause', 'resume', 'seek 0']);
  pass(0, 5);
  expect(only.taken).toEqual([0, 1, 2, 3, 4, 5]);
});

test('a client that has gone back by itself brings all of it to each that was past it, also to one that is full', () => {
  const [quick, full, behind] = [reader(0), reader(0), reader(0)];
  pass(0, 1);
  behind.full = true;
  pass(2, 9);
  full.full = true;
  said = [];
  pass(3, 6);
  expect(quick.taken.slice(10)).toEqual([3, 4, 5, 6]);
  expect([full.taken.length, behind.taken.length]).toEqual([10, 2]);
  full.full = behind.full = false;
  fetch.settle();
  expect(said).toEqual(['seek 2']);
  pass(2, 7);
  expect(quick.taken.slice(14)).toEqual([7]);
  expect(full.taken.slice(10)).toEqual([3, 4, 5, 6, 7]);
  expect(behind.taken.slice(2)).toEqual([2, 3, 4, 5, 6, 7]);
});

test('who was past the end of a partition that has lost records takes again what is written there', () => {
  const [slow, quick] = [reader(0), reader(50)];
  pass(0, 9, 30);
  expect([quick.taken, quick.wanted]).toEqual([[0, 1, 2, 3, 4, 5, 6, 7, 8, 9], 10n]);
  pass(10, 29, 30);
  expect([slow.taken.length, quick.taken.length]).toEqual([30, 30]);
});

test('once another one follows, it neither hands on nor seeks nor pauses', () => {
  const only = reader(0);
  fetch.end();
  said = [];
  pass(0, 4);
  only.full = true;
  fetch.settle();
  expect([only.taken, said]).toEqual([[], []]);
});
