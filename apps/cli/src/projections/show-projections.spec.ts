import { stateOf, type ProjectionLine } from './read-projections';
import { render } from './show-projections';

const lag = (events: number, seconds: number) => ({ events, seconds, capped: false });

test.each([
  ['live', lag(0, 0), 9_999, 'live'],
  ['live', lag(3, 0.1), 0, 'live'],
  ['live', lag(3, 20), 1, 'behind'],
  ['live', lag(3, 20), 60, 'behind'],
  ['live', lag(3, 90), 60, 'stopped'],
  ['kept', lag(0, 0), 60, 'kept'],
  ['kept', lag(3, 90), 60, 'stopped'],
  ['building', lag(900, 90), 1, 'building'],
  ['building', lag(900, 90), 60, 'stopped'],
] as const)('%s with a lag of %p that is still for %p s is %s', (state, behind, still_s, shown) => {
  expect(stateOf({ state }, behind, still_s)).toBe(shown);
});

const line: ProjectionLine = {
  ...{ projection: 'payments.receipts@1', mode: 'test', generation: 2, state: 'behind' },
  ...{ position: '17', lag: { events: 10_000, capped: true, seconds: 200 } },
};

test('a line per projection, and what is parked', () => {
  const parked = [
    { consumer: 'payments.confirm', mode: 'test' as const, messages: 3, for_operator: 1 },
  ];
  expect(render({ width: 120, colours: false }, [line], parked)).toEqual([
    'projection           mode  state   table  position  behind   oldest',
    'payments.receipts@1  test  behind  g2     17        10,000+  3 min 20 s',
    '',
    'consumer          mode  parked  for an operator',
    'payments.confirm  test  3       1',
    'Look at them with "tender ops parked".',
  ]);
});

test('a projection that has not begun, and nothing parked', () => {
  const idle = { ...line, state: 'live' as const, position: null, lag: lag(0, 0) };
  expect(render({ width: 120, colours: false }, [idle], [])).toEqual([
    'projection           mode  state  table  position  behind  oldest',
    'payments.receipts@1  test  live   g2     -         0       -',
    '',
    'No message is parked.',
  ]);
});

test('the state is in its colour, and no other cell with the same word', () => {
  const live = { ...line, mode: 'live' as const };
  const [headings, shown] = render({ width: 120, colours: true }, [live], []);
  expect(headings).toContain('state   table  position  behind');
  expect(shown).toContain('  live  \u001b[33mbehind\u001b[39m  g2');
});
