import { secondsLeft } from '../terminal/bar';
import { progressBar, progressFacts, reportProgress, type Progress } from './progress';
import type { Terminal } from '../terminal/terminal';

const progress: Progress = {
  ...{ projection: 'payments.receipts@1', generation: 2, phase: 'loading' },
  ...{ events: 250_000, events_total: 1_000_000, elapsed_ms: 10_000 },
};

test('a bar with rate and time left, as long as the terminal has room', () => {
  expect(progressBar(progress, 120)).toBe(
    `payments.receipts@1 generation 2  [${'#'.repeat(7)}${'-'.repeat(23)}]  ` +
      '250,000 of 1,000,000  25,000/s  30 s left',
  );
  expect(progressBar(progress, 80)).toBe(
    'payments.receipts@1 generation 2  250,000 of 1,000,000  25,000/s  30 s left',
  );
  for (const width of [10, 20, 40, 79, 93]) {
    expect(progressBar(progress, width).length).toBeLessThan(width);
  }
});

test('no bar and no time left where the number of events is unknown', () => {
  const unknown = { ...progress, events_total: null };
  expect(secondsLeft(unknown)).toBeNull();
  expect(progressBar(unknown, 120)).toBe('payments.receipts@1 generation 2  250,000  25,000/s');
});

test('nothing is divided by zero at the beginning, nor is more than all left at the end', () => {
  const begun = { ...progress, events: 0, elapsed_ms: 0 };
  expect(secondsLeft(begun)).toBeNull();
  expect(progressBar({ ...begun, events_total: 0 }, 120)).not.toMatch(/NaN|Infinity/);
  const beyond = { ...progress, events: 1_100_000 };
  expect(secondsLeft(beyond)).toBe(0);
  expect(progressBar(beyond, 120)).toContain(`[${'#'.repeat(30)}]`);
});

test('a program reads JSON', () => {
  expect(progressFacts(progress)).toEqual({
    line: 'progress',
    ...{ projection: 'payments.receipts@1', generation: 2, phase: 'loading', events: 250_000 },
    ...{ events_total: 1_000_000, elapsed_s: 10, events_per_second: 25_000, seconds_left: 30 },
  });
});

describe('reporting', () => {
  const said: string[] = [];
  let now_ms = 0;
  const terminal = (is_terminal: boolean): Terminal => ({
    ...{ is_terminal, can_ask: false, colours: false, width: 100 },
    ask: () => Promise.reject(new Error('no question is asked here')),
    say: (line) => void said.push(line),
    complain: (line) => void said.push(line),
    draw: (line) => void said.push(`drawn ${line}`),
    now: () => now_ms,
    onInterrupt: () => undefined,
  });
  beforeEach(() => {
    said.length = 0;
    now_ms = 0;
  });

  it('says a line at each phase and once a second at most without a terminal', () => {
    const report = reportProgress(terminal(false), progress);
    for (now_ms = 300; now_ms <= 2_100; now_ms += 300) report.loaded(10);
    report.phase('indexing');
    const told = said.map((line) => JSON.parse(line) as Progress);
    expect(told.map(({ phase, events }) => [phase, events])).toEqual([
      ['loading', 0],
      ['loading', 40],
      ['indexing', 70],
    ]);
  });

  it('draws each step at a terminal', () => {
    const report = reportProgress(terminal(true), progress);
    report.loaded(10);
    expect(said).toHaveLength(2);
    expect(said.every((line) => line.startsWith('drawn '))).toBe(true);
  });
});
