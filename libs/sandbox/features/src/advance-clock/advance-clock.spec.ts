import { memoryEventStore, seededRandom } from '@tender/adapter-memory';
import {
  CLOCK_STREAM,
  soonestDue,
  Unavailable,
  type ClockMoved,
  type LocalChain,
  type Runtime,
  type Stage,
  type StoredEvent,
  type Worker,
} from '@tender/eventing';
import { invariant } from '@tender/kernel';
import { AdvanceClock } from './advance-clock';

/** A whole second; the machine's clock stands still, so business time is this plus the offset. */
const START_MS = 1_767_225_600_000;

let offset: number;
let timers: number[];
/** How far from the start each timer ran, in milliseconds. */
let ran: { readonly due: number; readonly at: number }[];
/** What running a timer makes due. */
let then: (due: number) => number[];
let produced: number[];
let reached: number[];
/** Watches, which end only with a block of that time. */
let watches: number[];
let ended: { readonly due: number; readonly at: number }[];
let chainDown: boolean;
let behind: boolean;
const store = () => memoryEventStore();
let eventStore: ReturnType<typeof store>;

beforeEach(() => {
  offset = 0;
  timers = [];
  ran = [];
  then = () => [];
  [produced, reached, watches, ended] = [[], [], [], []];
  [chainDown, behind] = [false, false];
  eventStore = store();
});
afterEach(() => eventStore.close());

const worker = {
  name: 'timers',
  start: async () => undefined,
  stop: async () => undefined,
  nextDue: async () => (timers.length > 0 ? START_MS + Math.min(...timers) : null),
  async idle() {
    const due = timers.filter((timer) => timer <= offset).sort((one, two) => one - two);
    timers = timers.filter((timer) => timer > offset);
    for (const timer of due) {
      ran.push({ due: timer, at: offset });
      timers.push(...then(timer));
    }
  },
} satisfies Worker;

const follower: Worker = {
  ...worker,
  name: 'follower',
  nextDue: async () => (watches.length > 0 ? START_MS + Math.min(...watches) : null),
};

/** A watch that ends makes a timer due. */
async function produceUntil(unix_seconds: number): Promise<void> {
  produced.push(unix_seconds);
  const block = unix_seconds * 1000 - START_MS;
  for (const due of watches.filter((watch) => watch <= block)) {
    ended.push({ due, at: offset });
    timers.push(...then(due));
  }
  watches = watches.filter((watch) => watch > block);
}

function clock(): AdvanceClock {
  const stage: Stage = {
    nextDue: () => soonestDue([worker, follower]),
    idle: () => worker.idle(),
    offset: () => offset,
    setOffset: async (offset_ms) => void (offset = offset_ms),
  };
  const runtime = {
    eventStore,
    random: seededRandom(),
    clock: { now: () => START_MS + offset, wall: () => START_MS },
    calls: {
      ask: async (_: unknown, { block_time_ms }: { block_time_ms: number }) => {
        reached.push(block_time_ms);
        return { reached: !behind };
      },
    },
  } as unknown as Runtime;
  const chain = {
    setOffset: async () => {
      if (chainDown) throw new Unavailable('the chain');
    },
    produceUntil,
  } as unknown as LocalChain;
  return new AdvanceClock(runtime, stage, chain);
}

const stops = async () => {
  const moves = (await eventStore.load(CLOCK_STREAM)) as readonly StoredEvent<ClockMoved>[];
  return moves.map(({ data }) => data.offset_ms);
};

test('each timer runs in its second and in order, also those that a timer made due', async () => {
  timers = [30_250, 4_000];
  then = (due) => (due === 30_250 ? [95_001] : []);
  expect(await clock().by(100)).toBe(START_MS + 100_000);
  expect(ran).toEqual([
    { due: 4_000, at: 4_000 },
    { due: 30_250, at: 31_000 },
    { due: 95_001, at: 96_000 },
  ]);
  expect(await stops()).toEqual([4_000, 31_000, 96_000, 100_000]);
});

test('timers of one second run together, however many', async () => {
  timers = Array.from({ length: 500 }, (_, index) => 7_001 + index);
  await clock().by(60);
  expect(ran).toHaveLength(500);
  expect(await stops()).toEqual([8_000, 60_000]);
});

test('no timer runs beyond the target, and none that is due by then is left', async () => {
  timers = [500, 10_400, 10_600];
  offset = 500;
  await clock().by(10);
  expect(ran).toEqual([
    { due: 500, at: 500 },
    { due: 10_400, at: 10_500 },
  ]);
  expect(timers).toEqual([10_600]);
  expect(offset).toBe(10_500);
});

test('both chains and their followers come to the target', async () => {
  await clock().by(10);
  expect(produced).toEqual([START_MS / 1000 + 10]);
  expect(reached).toEqual([START_MS + 10_000, START_MS + 10_000]);
});

test('watches end in their second, and what they make due runs on the way', async () => {
  watches = [9_000, 9_000, 4_000];
  then = (due) => (due === 4_000 ? [34_500] : []);
  await clock().by(60);
  expect(ended).toEqual([
    { due: 4_000, at: 4_000 },
    { due: 9_000, at: 9_000 },
    { due: 9_000, at: 9_000 },
  ]);
  expect(ran).toEqual([{ due: 34_500, at: 35_000 }]);
  expect(await stops()).toEqual([4_000, 9_000, 35_000, 60_000]);
  expect(produced.map((second) => second - START_MS / 1000)).toEqual([4, 9, 60]);
});

test('time stands still while the chains cannot follow', async () => {
  chainDown = true;
  timers = [4_000];
  await expect(clock().by(10)).rejects.toThrow(Unavailable);
  expect([offset, ran, await stops()]).toEqual([0, [], []]);
});

test('an advance that the followers do not finish is not reported as done', async () => {
  behind = true;
  await expect(clock().by(10)).rejects.toThrow(Unavailable);
});

test('the log is asked for moves once, and again when another process has moved the clock', async () => {
  const load = jest.spyOn(eventStore, 'load');
  timers = [4_000, 9_000];
  const moved = clock();
  await moved.by(60);
  expect(load).toHaveBeenCalledTimes(1);

  const [stored] = (await eventStore.load(CLOCK_STREAM)).slice(-1);
  invariant(stored, 'it was moved');
  const { type, metadata, revision } = stored;
  const elsewhere = { type, data: { offset_ms: 61_000 }, metadata };
  await eventStore.append(CLOCK_STREAM, [elsewhere], revision);
  load.mockClear();
  await moved.by(60);
  expect(load).toHaveBeenCalledTimes(1);
  expect(await stops()).toEqual([4_000, 9_000, 60_000, 61_000, 120_000]);
});

test('two advances at once run one after the other', async () => {
  const moved = clock();
  const both = await Promise.all([moved.by(1), moved.by(2)]);
  expect(both).toEqual([START_MS + 1_000, START_MS + 3_000]);
});
