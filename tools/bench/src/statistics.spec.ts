import { median, ratios } from './statistics';

test('the median of an even number of rounds lies between the two in the middle', () => {
  expect(median([4, 1, 3, 2])).toBe(2.5);
  expect(median([9, 1, 5])).toBe(5);
});

test('ratios are taken round by round, not from the medians of the sides', () => {
  const round = (ours: number, theirs: number) => {
    return { candidate: { rps: ours }, baseline: { rps: theirs } };
  };
  const rounds = [round(10, 10), round(40, 20), round(90, 30)];
  expect(ratios(rounds, { rps: ({ rps = 0 }) => rps }, 'rps')).toEqual({ rps: 2, min: 1, max: 3 });
});
