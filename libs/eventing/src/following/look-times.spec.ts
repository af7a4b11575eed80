import { isLookDue } from './look-times';

it('is a look in each five seconds, at the same time for all that looked at different ones', () => {
  const looked_ms = [100_001, 102_000, 104_999];
  expect(looked_ms.map((looked) => isLookDue(looked, 104_999))).toEqual([false, false, false]);
  expect(looked_ms.map((looked) => isLookDue(looked, 105_000))).toEqual([true, true, true]);
  expect(isLookDue(105_000, 109_999)).toBe(false);
});
