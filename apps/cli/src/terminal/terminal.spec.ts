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

test('a state is painted where there are colours; one that has none is plain', () => {
  expect(painted({ colours: false }, 'live')).toBe('live');
  expect(painted({ colours: true }, 'live')).toBe('\u001b[32mlive\u001b[39m');
  expect(painted({ colours: true }, 'kept')).toBe('kept');
});

test('paint takes no room, in either form', () => {
  const paint = (cell: string, heading: string) => (heading === 'state' ? `<${cell}>` : cell);
  const wide = [...rows, ['b', 'live']].map(([name, state]) => [state, name] as [string, string]);
  expect(table({ width: 80 }, ['state', 'name'], wide, paint)).toEqual([
    'state    name',
    '<live>     payments',
    '<stopped>  a',
    '<live>     b',
  ]);
  expect(table({ width: 12 }, ['name', 'state'], rows, paint)).toContain('state: <live>');
});
