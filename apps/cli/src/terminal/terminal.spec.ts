import { duration, grouped } from './amounts';
import { painted } from './colours';
import { table } from './table';

test.each([
  [0, '0.0 s'],
  [0.44, '0.4 s'],
  [59.4, '59 s'],
  [200, '3 min 20 s'],
  [7_500, '2 h 5 min'],
  [277_200, '3 d 5 h'],
])('%p seconds are %p', (seconds, text) => {
  expect(duration(seconds)).toBe(text);
});

test.each([
  [0, '0'],
  [999, '999'],
  [1_000, '1,000'],
  [1_234_567.4, '1,234,567'],
])('%p is %p', (count, text) => {
  expect(grouped(count)).toBe(text);
});

const rows = [
  ['payments', 'live'],
  ['a', 'stopped'],
];

test('columns are as wide as they need to be', () => {
  expect(table({ width: 80 }, ['name', 'state'], rows)).toEqual([
    'name      state',
    'payments  live',
    'a         stopped',
  ]);
});

test('a narrow terminal gets a line per field', () => {
  expect(table({ width: 12 }, ['name', 'state'], rows)).toEqual([
    ...['name: payments', 'state: live'],
    ...['', 'name: a', 'state: stopped'],
  ]);
});

test('states are painted, names are not, and nothing without colours', () => {
  const line = 'alive.live@1  live  stopped';
  expect(painted({ colours: false }, line)).toBe(line);
  expect(painted({ colours: true }, line)).toBe(
    'alive.live@1  \u001b[32mlive\u001b[39m  \u001b[31mstopped\u001b[39m',
  );
});
