import { repeatedFaults, SUMMARY_MS } from './repeated-faults';

/** A log whose minutes pass by hand. */
function bench() {
  const lines: unknown[][] = [];
  let [now, timers]: [number, (() => void)[]] = [0, []];
  const fault = repeatedFaults({
    write: (...line) => void lines.push(line),
    now: () => now,
    everyMinute(work) {
      timers = [work];
      return () => void (timers = []);
    },
  });
  const pass = (ms: number) => void (now += ms);
  const minute = () => {
    pass(SUMMARY_MS);
    for (const work of timers) work();
  };
  const isTimed = () => timers.length > 0;
  return { fault, pass, minute, isTimed, take: () => lines.splice(0) };
}

const MESSAGE = 'a consumer joins its group again';
const of = (consumer: string, err: string) => {
  return { consumer, err: new Error(err), delay_ms: err.length };
};

test('the first is whole, then one line a minute with how many came since, and one when it is over', () => {
  const { fault, pass, minute, isTimed, take } = bench();
  for (const err of ['first', 'second', 'third']) {
    fault('warn', of('payments', err), MESSAGE);
    pass(10_000);
  }
  expect(take()).toEqual([['warn', of('payments', 'first'), MESSAGE]]);
  minute();
  expect(take()).toEqual([
    ['warn', { ...of('payments', 'third'), again: 2 }, `${MESSAGE} (it goes on)`],
  ]);
  minute();
  expect(take()).toEqual([
    ['warn', { consumer: 'payments', times: 3, lasted_s: 20 }, `${MESSAGE} (that is over)`],
  ]);
  expect(isTimed()).toBe(false);
  fault('warn', of('payments', 'anew'), MESSAGE);
  expect(take()).toHaveLength(1);
});

test('what came once is not said to be over, and is whole when it comes again later', () => {
  const { fault, minute, take } = bench();
  fault('warn', {}, MESSAGE);
  minute();
  minute();
  fault('warn', {}, MESSAGE);
  expect(take()).toEqual([['warn', {}, MESSAGE], ['warn', {}, MESSAGE]]);
});

test('another message, level or thing is another fault', () => {
  const { fault, take } = bench();
  fault('warn', of('payments', 'x'), MESSAGE);
  fault('error', of('payments', 'x'), MESSAGE);
  fault('warn', of('billing', 'x'), MESSAGE);
  fault('warn', of('payments', 'x'), 'a partition’s batch has failed');
  expect(take()).toHaveLength(4);
});

test('each answer that failed for a mistake of ours is found by its request, an outage is one fault', () => {
  const { fault, take } = bench();
  for (const correlation_id of ['one', 'other']) {
    fault('error', { correlation_id, fault: 'TypeError' }, 'an answer failed');
    fault('warn', { correlation_id, part: 'kafka' }, 'a part is unavailable');
  }
  expect(take().map(([level]) => level)).toEqual(['error', 'warn', 'error']);
});
