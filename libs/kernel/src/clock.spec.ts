import fc from 'fast-check';
import { isoTime, monthsLater, timeOf } from './clock';

const NOW_MIN = timeOf('1970-01-01T00:00:00.000Z');
const NOW_MAX = timeOf('2200-01-01T00:00:00.000Z');
const time = fc.integer({ min: NOW_MIN, max: NOW_MAX });
const months = fc.integer({ min: 0, max: 600 });
const later = (from: string, count: number) => isoTime(monthsLater(timeOf(from), count));
/** Months since year 0, day of the month, and the time of day. */
const partsOf = (ms: number) => {
  const text = isoTime(ms);
  const [year = 0, month = 0, day = 0] = text.slice(0, 10).split('-').map(Number);
  return { months: year * 12 + month, day, time_of_day: text.slice(10) };
};

describe('monthsLater', () => {
  it.each([
    ['2026-01-15T10:30:00.123Z', 1, '2026-02-15T10:30:00.123Z'],
    ['2026-01-31T23:59:59.999Z', 1, '2026-02-28T23:59:59.999Z'],
    ['2028-01-31T00:00:00.000Z', 1, '2028-02-29T00:00:00.000Z'],
    ['2026-01-31T00:00:00.000Z', 2, '2026-03-31T00:00:00.000Z'],
    ['2026-12-31T00:00:00.000Z', 2, '2027-02-28T00:00:00.000Z'],
    ['2028-02-29T00:00:00.000Z', 12, '2029-02-28T00:00:00.000Z'],
    ['2028-02-29T00:00:00.000Z', 48, '2032-02-29T00:00:00.000Z'],
    ['2096-02-29T00:00:00.000Z', 48, '2100-02-28T00:00:00.000Z'],
    ['2026-03-29T01:30:00.000Z', 0, '2026-03-29T01:30:00.000Z'],
  ])('%s and %i months is %s', (from, count, expected) => {
    expect(later(from, count)).toBe(expected);
  });

  it('is in the month that was meant, at the same time of day, on the same day or the last one', () => {
    fc.assert(
      fc.property(time, months, (ms, count) => {
        const [from, to] = [partsOf(ms), partsOf(monthsLater(ms, count))];
        expect(to.months).toBe(from.months + count);
        expect(to.time_of_day).toBe(from.time_of_day);
        const day_after = partsOf(monthsLater(ms, count) + 86_400_000);
        if (to.day !== from.day) expect([day_after.day, to.day < from.day]).toEqual([1, true]);
      }),
    );
  });
});
