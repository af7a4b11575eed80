import { timeBounds } from './time-bounds';

test('a day alone is all of it, UTC', () =>
  expect(timeBounds({ start_date: '2026-05-31', end_date: '2026-05-31' })).toEqual({
    ...{ start_date: '2026-05-31T00:00:00.000Z', end_date: '2026-05-31T23:59:59.999Z' },
  }));

test('a time is itself, as rows have it', () =>
  expect(timeBounds({ start_date: '2026-05-31T12:00+02:00', end_date: '2026-05-31T12:00:00Z' })).toEqual({
    ...{ start_date: '2026-05-31T10:00:00.000Z', end_date: '2026-05-31T12:00:00.000Z' },
  }));

test('what is not given bounds nothing', () =>
  expect(timeBounds({})).toEqual({ start_date: null, end_date: null }));

test('a bound beyond the year 9999 compares as a text', () => {
  const { end_date } = timeBounds({ end_date: '9999-12-31T23:59:59-12:00' });
  expect('2026-05-31T12:00:00.000Z' <= (end_date ?? '')).toBe(true);
});
