import { placeIn, placeOf } from './trace-ids';

test('a correlation id names its trace, in every process', () => {
  const place = { traceId: 'a3ce929d4bf942f3977b0e0e47364da6', spanId: '977b0e0e47364da6' };
  expect(placeOf('a3ce929d-4bf9-42f3-977b-0e0e47364da6')).toEqual(place);
  expect(placeOf('A3CE929D-4BF9-42F3-977B-0E0E47364DA6')).toEqual(place);
});

test.each([
  ['no UUID', 'correlation-of-pay_1'],
  ['empty', ''],
  ['a UUID without a second half', 'a3ce929d-4bf9-42f3-0000-000000000000'],
  ['nothing but zeros', '00000000-0000-0000-0000-000000000000'],
])('one that is %s has a place of its own all the same', (_, correlation_id) => {
  const { traceId, spanId } = placeOf(correlation_id);
  expect(traceId).toMatch(/^(?!0+$)[0-9a-f]{32}$/);
  expect(spanId).toMatch(/^(?!0+$)[0-9a-f]{16}$/);
  expect(placeOf(correlation_id)).toEqual({ traceId, spanId });
});

test('the place in a client’s own trace is read from traceparent, and nothing else is', () => {
  const [traceId, spanId] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7'];
  expect(placeIn(`00-${traceId}-${spanId}-01`)).toEqual({ traceId, spanId });
  for (const text of ['', 'x', `00-${traceId}-${'0'.repeat(16)}-01`, `00-${traceId}-${spanId}-01\n`]) {
    expect(placeIn(text)).toBeNull();
  }
});
