import { Histogram } from './histogram';

test('quantiles are the upper edge of the 10 µs that they fall into', () => {
  const histogram = new Histogram();
  for (let ms = 1; ms <= 100; ms += 1) histogram.add(ms);
  expect(histogram.quantile(0.5)).toBe(50.01);
  expect(histogram.quantile(0.99)).toBe(99.01);
  expect(histogram.quantile(1)).toBe(100.01);
});

test('one answer is every quantile, and no answer is none', () => {
  const histogram = new Histogram();
  expect(histogram.quantile(0.99)).toBe(0);
  histogram.add(3);
  expect(histogram.quantile(0.5)).toBe(histogram.quantile(0.99));
});
