import { recentlyUsed } from './recently-used';

test('the entry used least recently gives way', () => {
  const entries = recentlyUsed<{ readonly of: string }>(2);
  for (const key of ['a', 'b', 'a', 'c']) if (!entries.get(key)) entries.set(key, { of: key });
  expect([...entries.keys()].sort()).toEqual(['a', 'c']);
  expect(entries.get('a')).toEqual({ of: 'a' });
});

test('an empty one takes no memory for what may come', () => {
  const before = process.memoryUsage().heapUsed;
  const entries = recentlyUsed<object>(20_000_000);
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(100_000_000);
  expect(entries.size).toBe(0);
});
