import { isoTime, timeOf } from '@tender/kernel';
import fc from 'fast-check';
import {
  BILLING_INTERVALS,
  firstPeriod,
  nextPeriod,
  periodStart,
  prolonged,
  type BillingCalendar,
  type BillingRhythm,
} from './calendar';
import { between, DAY_MS, HOUR_MS, later } from './time';

const CENTURY = '2000-01-01T00:00:00.000Z';
const MONTHLY: BillingRhythm = { billing_interval: 'monthly', interval_count: 1 };
const rhythm = fc.record({
  billing_interval: fc.constantFrom(...BILLING_INTERVALS),
  interval_count: fc.integer({ min: 1, max: 12 }),
});
const time = fc
  .integer({ min: timeOf(CENTURY), max: timeOf('2150-01-01T00:00:00.000Z') })
  .map(isoTime);
/** Month ends and leap days are rare among arbitrary times. */
const monthEnd = fc
  .tuple(fc.integer({ min: 0, max: 1800 }), fc.integer({ min: 1, max: 4 * DAY_MS }))
  .map(([month, before]) => later(periodStart(CENTURY, MONTHLY, month), -before));
const anchor = fc.oneof(time, monthEnd);
const starts = (from: string, by: BillingRhythm, count: number) =>
  Array.from({ length: count }, (_, index) => periodStart(from, by, index));
/** Follows the periods one by one, as a subscription does. */
function walk(from: BillingCalendar, by: BillingRhythm, count: number): BillingCalendar[] {
  const periods = [from];
  for (let n = 0; n < count; n += 1) {
    const last = periods.at(-1) as BillingCalendar;
    periods.push(nextPeriod(last, by, last.end));
  }
  return periods;
}

test.each<[string, BillingRhythm, string[]]>([
  [
    '2026-01-31T09:00:00.000Z',
    MONTHLY,
    ['2026-01-31', '2026-02-28', '2026-03-31', '2026-04-30', '2026-05-31'],
  ],
  ['2028-01-30T09:00:00.000Z', MONTHLY, ['2028-01-30', '2028-02-29', '2028-03-30']],
  [
    '2028-02-29T09:00:00.000Z',
    { billing_interval: 'yearly', interval_count: 1 },
    ['2028-02-29', '2029-02-28', '2030-02-28', '2031-02-28', '2032-02-29'],
  ],
  [
    '2026-11-30T09:00:00.000Z',
    { billing_interval: 'monthly', interval_count: 3 },
    ['2026-11-30', '2027-02-28', '2027-05-30'],
  ],
  [
    '2026-03-28T09:00:00.000Z',
    { billing_interval: 'weekly', interval_count: 2 },
    ['2026-03-28', '2026-04-11', '2026-04-25'],
  ],
  [
    '2026-02-27T09:00:00.000Z',
    { billing_interval: 'daily', interval_count: 1 },
    ['2026-02-27', '2026-02-28', '2026-03-01'],
  ],
])('periods from %s, %j', (from, by, days) => {
  expect(starts(from, by, days.length)).toEqual(days.map((day) => `${day}T09:00:00.000Z`));
});

test('over 48 cycles no period overlaps the next, leaves a gap, or drifts from the anchor', () => {
  fc.assert(
    fc.property(anchor, rhythm, (from, by) => {
      const periods = walk(firstPeriod(from, by, 0), by, 48);
      for (const [n, { start, end, index }] of periods.entries()) {
        expect(index).toBe(n);
        expect(start < end).toBe(true);
        expect(start).toBe(n === 0 ? from : periods[n - 1]?.end);
        expect(start.slice(10)).toBe(from.slice(10));
      }
      const has_months = by.billing_interval === 'monthly' || by.billing_interval === 'yearly';
      if (!has_months) return;
      const day = from.slice(8, 10);
      for (const { start } of periods) {
        const is_clamped = later(start, DAY_MS).slice(8, 10) === '01';
        const its_day = start.slice(8, 10);
        if (its_day !== day) expect([is_clamped, its_day < day]).toEqual([true, true]);
      }
    }),
  );
});

test('a trial ends after whole days, and the first period begins there', () => {
  fc.assert(
    fc.property(anchor, rhythm, fc.integer({ min: 1, max: 730 }), (from, by, trial_days) => {
      const trial = firstPeriod(from, by, trial_days);
      expect(between(trial.start, trial.end)).toBe(trial_days * DAY_MS);
      expect(nextPeriod(trial, by, trial.end)).toEqual(firstPeriod(trial.end, by, 0));
    }),
  );
});

test('the next period contains now, whatever has been skipped', () => {
  fc.assert(
    fc.property(anchor, rhythm, fc.integer({ min: 0, max: 400 * DAY_MS }), (from, by, ms) => {
      const first = firstPeriod(from, by, 0);
      const now = later(first.end, ms);
      const next = nextPeriod(first, by, now);
      expect(next.start <= now && now < next.end).toBe(true);
      expect(next.start).toBe(periodStart(from, by, next.index));
    }),
  );
});

test('a period that ends right now is over', () => {
  const first = firstPeriod('2026-01-31T00:00:00.000Z', MONTHLY, 0);
  const march = '2026-03-31T00:00:00.000Z';
  expect(nextPeriod(first, MONTHLY, march)).toMatchObject({ start: march, index: 2 });
});

describe('prolonged', () => {
  const pauses = fc.array(
    fc.tuple(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 400 * DAY_MS })),
    { maxLength: 5 },
  );
  test('by whatever, whenever and however often: the end moves by just that, and whole periods follow', () => {
    fc.assert(
      fc.property(anchor, rhythm, pauses, (from, by, all) => {
        let current = firstPeriod(from, by, 0);
        for (const [periods, ms] of all) {
          current = walk(current, by, periods).at(-1) as BillingCalendar;
          const moved = prolonged(current, by, ms);
          expect(between(current.end, moved.end)).toBe(ms);
          expect(moved.start).toBe(current.start);
          expect(periodStart(moved.anchor, by, moved.index + 1)).toBe(moved.end);
          const next = nextPeriod(moved, by, moved.end);
          expect([next.start, next.index]).toEqual([moved.end, moved.index + 1]);
          current = moved;
        }
      }),
    );
  });
  test('an hour in February leaves the 31st the 31st', () => {
    const moved = prolonged(firstPeriod('2026-01-31T00:00:00.000Z', MONTHLY, 0), MONTHLY, HOUR_MS);
    expect(walk(moved, MONTHLY, 2).map(({ end }) => end)).toEqual([
      ...['2026-02-28T01:00:00.000Z', '2026-03-31T01:00:00.000Z', '2026-04-30T01:00:00.000Z'],
    ]);
  });
  test('forty days make the new end the anchor: a month from there on', () => {
    const moved = prolonged(firstPeriod('2026-01-15T00:00:00.000Z', MONTHLY, 0), MONTHLY, 40 * DAY_MS);
    expect(walk(moved, MONTHLY, 2).map(({ end }) => end.slice(0, 10))).toEqual([
      ...['2026-03-27', '2026-04-27', '2026-05-27'],
    ]);
  });
});
