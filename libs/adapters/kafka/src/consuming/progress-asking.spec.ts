import type { Topic } from '../topics/topics';
import { ProgressAsking } from './progress-asking';

const topic: Topic = { name: 'test.payments.events', context: 'payments', mode: 'test' };
const SECOND = 2;

/** A consumer that waits for 5,000 ms of wall time; `pass` lets so many looks come. */
function waiting(answer: () => Promise<void> = () => Promise.resolve()) {
  const state = { awaited: 5_000 as number | null, heard: 1_000 };
  const asked: number[] = [];
  let timer: (() => void) | null = null;
  const asking = new ProgressAsking({
    ...{ consumer: 'chain-indexer.watch-payments', topics: [topic] },
    clock: { wall: () => 0 },
    delays: {
      after(_, work) {
        timer = work;
        return () => void (timer = null);
      },
    },
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    awaits: () => state.awaited,
    heard: () => state.heard,
    askProgress: (_context, _mode, until_ms) => {
      asked.push(until_ms);
      return answer();
    },
  });
  asking.start();
  const pass = (looks: number): void => {
    for (let look = 0; look < looks; look += 1) timer?.();
  };
  return { state, asked, asking, pass };
}

it('asks once, and no more when it has been heard', () => {
  const { state, asked, pass } = waiting();
  pass(SECOND);
  expect(asked).toEqual([5_000]);
  state.heard = 5_000;
  pass(100);
  expect(asked).toEqual([5_000]);
});

it('asks nothing while nothing is waited for', () => {
  const { state, asked, pass } = waiting();
  state.awaited = null;
  pass(100);
  expect(asked).toEqual([]);
});

it.each([
  ['is asked by nothing that leads any more', () => Promise.reject(new Error('no replica leads'))],
  ['ends before it has told', () => Promise.resolve()],
])('asks a relay again that %s: after 1, 2, 4 and then 5 seconds', (_, answer) => {
  const { asked, pass } = waiting(answer);
  const counts = [1, 1, 2, 4, 5, 5].map((seconds) => {
    pass(seconds * SECOND);
    return asked.length;
  });
  expect(counts).toEqual([1, 2, 3, 4, 5, 6]);
});

it('asks at once when it has heard something, and waits for more', () => {
  const { state, asked, pass } = waiting();
  pass(1);
  Object.assign(state, { heard: 5_000, awaited: 6_000 });
  pass(1);
  expect(asked).toEqual([5_000, 6_000]);
});

it('asks no more once it is stopped', () => {
  const { asked, asking, pass } = waiting();
  asking.stop();
  pass(100);
  expect(asked).toEqual([]);
});
