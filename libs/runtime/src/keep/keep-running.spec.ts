import type { ChildRun, Delays } from '@tender/eventing';
import { FAILURES_MAX, keepRunning, type ChildNews } from './keep-running';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const delays: Delays = {
  after(delay_ms, work) {
    const timer = setTimeout(work, delay_ms);
    return () => clearTimeout(timer);
  },
};

interface Run extends ChildRun {
  readonly port: number;
  end(how: string): void;
}

/** A program that keeps one child, `kafka`; `start` may be replaced by one that fails. */
function bench() {
  const [news, faults, runs]: [ChildNews[], string[], Run[]] = [[], [], []];
  const over = new AbortController();
  const at = { start: (run: Run): Promise<Run> => Promise.resolve(run) };
  const keep = keepRunning({
    delays,
    over: over.signal,
    tell: (one) => void news.push(one),
    giveUp: ({ message }) => void faults.push(message),
  });
  const start = (last: Run | null): Promise<Run> => {
    const { promise: ended, resolve: end } = Promise.withResolvers<string>();
    const ends = (how: string) => async () => end(how);
    const run = {
      ...{ pid: runs.length + 1, port: last?.port ?? 9_092, ended, end },
      said: () => 'first\nlast words',
      ...{ stop: ends('SIGTERM'), kill: ends('SIGKILL') },
    };
    runs.push(run);
    return at.start(run);
  };
  const dies = async (how: string, after_ms = 0): Promise<void> => {
    await jest.advanceTimersByTimeAsync(after_ms);
    runs.at(-1)?.end(how);
    await jest.advanceTimersByTimeAsync(6_000);
  };
  return { keep, start, kept: keep('kafka', start), news, faults, runs, at, dies, over };
}

test('one that ends is named, with how and its last words, and starts again where it was', async () => {
  const { kept, news, runs, dies } = bench();
  await kept;
  await dies('1', 20_000);
  expect(news).toEqual([
    { type: 'serving', name: 'kafka', pid: 1 },
    { type: 'ended', name: 'kafka', pid: 1, how: '1', said: 'first\nlast words', again_ms: 200 },
    { type: 'serving', name: 'kafka', pid: 2 },
  ]);
  expect((await kept).current).toMatchObject({ pid: 2, port: 9_092 });
  expect(runs).toHaveLength(2);
});

const pausesIn = (news: readonly ChildNews[]) => news.flatMap(({ again_ms = [] }) => again_ms);

test('one that ends again and again within seconds is given up, after growing pauses', async () => {
  const { kept, news, faults, runs, dies } = bench();
  await kept;
  for (let time = 0; time < FAILURES_MAX + 2; time += 1) await dies('1');
  expect(runs).toHaveLength(FAILURES_MAX);
  expect(pausesIn(news)).toEqual([400, 800, 1_600, 3_200, 5_000]);
  expect(faults).toEqual([
    'kafka has failed to start 6 times in a row, the last time: 1. It said: last words',
  ]);
});

test('a start that fails counts as well, and says why', async () => {
  const { kept, news, faults, at, dies } = bench();
  await kept;
  at.start = () => Promise.reject(new Error('the folder is gone'));
  await dies('1', 20_000);
  await jest.advanceTimersByTimeAsync(60_000);
  expect(news.at(-1)).toMatchObject({ type: 'ended', pid: null, how: 'the folder is gone' });
  expect(faults).toEqual([
    'kafka has failed to start 6 times in a row, the last time: the folder is gone.',
  ]);
});

test('while one that served before it is down, its failures do not count', async () => {
  const { keep, start, kept, news, faults, runs, at } = bench();
  await kept;
  const fails = () => Promise.reject(new Error('no Kafka'));
  await keep('payments', (last: Run | null) => (last ? fails() : start(null)));
  let serve = (): void => undefined;
  at.start = (run) => new Promise((resolve) => (serve = () => resolve(run)));
  runs[0]?.end('SIGKILL');
  runs[1]?.end('1');
  await jest.advanceTimersByTimeAsync(60_000);
  const tries = news.filter(({ name, type }) => name === 'payments' && type === 'ended');
  expect(tries.length).toBeGreaterThan(FAILURES_MAX);
  expect(new Set(pausesIn(tries))).toEqual(new Set([1_000]));
  expect(faults).toEqual([]);
  serve();
  await jest.advanceTimersByTimeAsync(60_000);
  expect(faults).toEqual([
    'payments has failed to start 6 times in a row, the last time: no Kafka.',
  ]);
});

test('one that began while another was down is excused, even if it fails when that serves again', async () => {
  const { keep, start, kept, news, faults, runs, at } = bench();
  await kept;
  let fail = (): void => undefined;
  const slow = () => new Promise<Run>((_, reject) => (fail = () => reject(new Error('no Kafka'))));
  await keep('payments', (last: Run | null) => (last ? slow() : start(null)));
  let serve = (): void => undefined;
  at.start = (run) => new Promise((resolve) => (serve = () => resolve(run)));
  runs[0]?.end('SIGKILL');
  runs[1]?.end('1');
  await jest.advanceTimersByTimeAsync(2_000);
  serve();
  await jest.advanceTimersByTimeAsync(100);
  fail();
  await jest.advanceTimersByTimeAsync(100);
  expect(news.at(-1)).toMatchObject({ name: 'payments', how: 'no Kafka', again_ms: 1_000 });
  expect(faults).toEqual([]);
});

test.each([
  ['is killed while it serves', 'SIGKILL', 0],
  ['has served for long each time', '1', 10_000],
])('one that %s is started again for ever, without growing pauses', async (_, how, after_ms) => {
  const { kept, news, faults, dies } = bench();
  await kept;
  for (let time = 0; time < 20; time += 1) await dies(how, after_ms);
  expect(new Set(pausesIn(news))).toEqual(new Set([200]));
  expect([pausesIn(news).length, faults]).toEqual([20, []]);
});

test('one that was stopped or killed here stays ended, until it is started', async () => {
  const { kept, news, runs } = bench();
  const child = await kept;
  for (const how of ['stop', 'kill'] as const) {
    const before = runs.length;
    await child[how]();
    await jest.advanceTimersByTimeAsync(60_000);
    expect([runs.length, news.some(({ type }) => type === 'ended')]).toEqual([before, false]);
    await child.start();
    expect(child.current.pid).toBe(before + 1);
  }
});

test('one that is stopped while it starts again is ended as soon as it serves', async () => {
  const { kept, runs, at } = bench();
  const child = await kept;
  let serve = (): void => undefined;
  at.start = (run) => new Promise((resolve) => (serve = () => resolve(run)));
  runs[0]?.end('1');
  await jest.advanceTimersByTimeAsync(1_000);
  const stopped = child.stop();
  serve();
  await stopped;
  expect(await runs[1]?.ended).toBe('SIGTERM');
});

test('once the program ends, none is started again', async () => {
  const { kept, news, runs, dies, over } = bench();
  await kept;
  over.abort();
  await dies('0', 20_000);
  expect([runs.length, news.map(({ type }) => type)]).toEqual([1, ['serving']]);
});

test('a first start that fails is for the caller', async () => {
  const over = new AbortController().signal;
  const keep = keepRunning({ delays, over, tell: fail, giveUp: fail });
  await expect(keep('kafka', () => Promise.reject(new Error('no Java')))).rejects.toThrow('no Java');
});

const fail = () => {
  throw new Error('nothing becomes of it');
};
