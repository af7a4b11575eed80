import { countdown } from './amounts';

test.each([
  [0, '0:00'],
  [-5_000, '0:00'],
  [845_000, '14:05'],
  [3_599_000, '59:59'],
  [3_599_001, '1:00:00'],
  [86_400_000, '24:00:00'],
])('%i ms are %s', (left_ms, text) => expect(countdown(left_ms)).toBe(text));
