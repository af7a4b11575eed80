import { setTimeout as sleep } from 'node:timers/promises';
import { memoryEventStore } from '@tender/adapter-memory';
import { realDelays } from '@tender/adapter-postgres';
import { Unavailable, type Delays, type EventStore, type Worker } from '@tender/eventing';
import { noteOf, sampleEvent } from '@tender/eventing/testing';
import { programStage, REST_MS_MAX, ROUNDS_MAX, type StageParts } from './program-stage';

const DUE_MS = 5_000;
const resting: Worker = {
  ...{ name: 'worker', start: async () => undefined, stop: async () => undefined },
};
const clock = { wall: () => Date.now(), offset: () => 0, setOffset: () => undefined };

let store: EventStore & { close(): Promise<void> };
let said: number;
beforeEach(() => {
  store = memoryEventStore();
  said = 0;
});
afterEach(() => store.close());

async function say(): Promise<void> {
  const expected = said === 0 ? 'no_stream' : said - 1;
  said += 1;
  await store.append('note.test-n', [sampleEvent('note.test-n', { note: `n${said}` })], expected);
}

const stageOf = (parts: Partial<StageParts> & { worker?: Worker }) => {
  const { worker = resting, ...changes } = parts;
  const work = { workers: () => [worker], followers: () => [] };
  return programStage({ ...{ work, clock, log: store, delays: realDelays }, ...changes });
};

/** Appends in its first rounds, so many times. */
function appending(appends: number) {
  let rounds = 0;
  const worker: Worker = {
    ...resting,
    async idle() {
      await sleep(1);
      rounds += 1;
      if (rounds <= appends) await say();
    },
  };
  return { worker, rounds: () => rounds };
}

test.each([0, 1, 5, 40])('what appends in %i rounds is at rest in the one after', async (appends) => {
  const { worker, rounds } = appending(appends);
  await stageOf({ worker }).idle();
  expect([rounds(), said]).toEqual([appends + 1, appends]);
});

test('where topics lie between its parts, it is at rest after two rounds in which nothing was said', async () => {
  const { worker, rounds } = appending(2);
  await stageOf({ worker, hears_by_topics: true }).idle();
  expect(rounds()).toBe(4);
});

/**
 * A charge of billing: what has ended goes from one to the other and is judged at last, which makes the next one due.
 * Each hears what the one before has said, and takes its time to answer.
 */
test('a chain of slow reactors is heard to its end: what is due next is known by then', async () => {
  const STEPS = ['ended', 'asked', 'closed', 'judged', 'charged'];
  let due: number | null = null;
  const followers = STEPS.map((step, number) =>
    store.follow({
      ...{ name: step, categories: ['note.test'], from: null },
      async onEvents(events) {
        if (!events.some((event) => noteOf(event) === `n${number + 1}`)) return;
        await sleep(20);
        await say();
        if (number === STEPS.length - 1) due = DUE_MS;
      },
    }),
  );
  // The one that hears last is asked first.
  const work = {
    workers: () => [{ ...resting, nextDue: async () => due }],
    followers: () => followers.toReversed(),
  };
  const stage = stageOf({ work });
  await say();
  await stage.idle();
  expect([await stage.nextDue(), said]).toEqual([DUE_MS, STEPS.length + 1]);
  await Promise.all(followers.map((follower) => follower.stop()));
});

test('what a consumer was told to come again with is waited for, and so is what comes of it', async () => {
  let next_ms: number | null = Date.now() + 50;
  setTimeout(() => void say().then(() => (next_ms = null)), 60);
  const { worker, rounds } = appending(0);
  await stageOf({ worker, nextTry: async () => next_ms }).idle();
  expect([said, next_ms]).toEqual([1, null]);
  expect(rounds()).toBeGreaterThan(1);
});

test('a message that has failed for long, or waits for an operator, does not hold up the clock', async () => {
  for (const next_ms of [Date.now() + 25_000, null]) {
    const { worker, rounds } = appending(0);
    await stageOf({ worker, nextTry: async () => next_ms }).idle();
    expect(rounds()).toBe(1);
  }
});

test('what hangs is said to be unavailable in time', async () => {
  const waits: number[] = [];
  const delays: Delays = {
    after(delay_ms, work) {
      waits.push(delay_ms);
      const soon = setTimeout(work, 50);
      return () => clearTimeout(soon);
    },
  };
  const hanging = { ...resting, idle: () => new Promise<void>(() => undefined) };
  const idle = stageOf({ worker: hanging, delays }).idle();
  await expect(idle).rejects.toThrow(Unavailable);
  await expect(idle).rejects.toThrow('the program is unavailable: it has not come to rest');
  expect(waits).toEqual([REST_MS_MAX]);
});

test('clients that write without a pause do not hold up the clock', async () => {
  const restless = appending(Infinity);
  await stageOf({ worker: restless.worker }).idle();
  expect(restless.rounds()).toBe(ROUNDS_MAX);
});
