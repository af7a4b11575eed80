import { failsFloor, judge, type Entry, type Goal } from './entry';

const goal: Goal = { id: '1', metric: 'ratio.rps', op: '>=', must: 1, stretch: 1.4 };
const least: Goal = { id: '1b', metric: 'ratio.cpu', op: '<=', must: 0.65, stretch: 0.5 };

const entry = (ratio: Entry['ratio']): Omit<Entry, 'goals'> => ({
  name: 'create-payment',
  params: {},
  baseline_name: 'raw',
  baseline: {},
  candidate: {},
  ratio,
  rows_checked: true,
  errors: 0,
  faults: [],
});
const verdicts = (ratio: Entry['ratio'], tolerance = 0) =>
  judge(entry(ratio), [goal, least], tolerance).goals.map(({ verdict }) => verdict);

test('a figure on the line reaches it, in both directions', () => {
  expect(verdicts({ rps: 1, cpu: 0.65 })).toEqual(['floor', 'floor']);
  expect(verdicts({ rps: 1.4, cpu: 0.5 })).toEqual(['stretch', 'stretch']);
  expect(verdicts({ rps: 0.99, cpu: 0.66 })).toEqual(['miss', 'miss']);
});

test('tolerance lowers the floor, not the stretch', () => {
  expect(verdicts({ rps: 0.9, cpu: 0.7 }, 0.1)).toEqual(['floor', 'floor']);
  expect(verdicts({ rps: 1.3, cpu: 0.52 }, 0.1)).toEqual(['floor', 'floor']);
});

test('a figure that was never measured reaches nothing', () => {
  expect(verdicts({})).toEqual(['miss', 'miss']);
});

test('an absolute figure fails a full run, never a quick one', () => {
  const slow = judge(entry({ rps: 0.5 }), [{ ...goal, absolute: true }], 0);
  expect(failsFloor(slow, false)).toBe(true);
  expect(failsFloor(slow, true)).toBe(false);
});
