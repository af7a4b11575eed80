import { isLookDue, untilNextLook } from './look-times';

it('is a look in each five seconds, at the same time for all that looked at different ones', () => {
  const looked_ms = [100_001, 102_000, 104_999];
  expect(looked_ms.map((looked) => isLookDue(looked, 104_999))).toEqual([false, false, false]);
  expect(looked_ms.map((looked) => isLookDue(looked, 105_000))).toEqual([true, true, true]);
  expect(isLookDue(105_000, 109_999)).toBe(false);
});

it('is the same time for all that look so often', () => {
  const walls_ms = [100_001, 100_999.5, 101_000];
  expect(walls_ms.map((wall_ms) => untilNextLook(1_000, wall_ms))).toEqual([999, 1, 1_000]);
});
