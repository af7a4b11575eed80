import { inTime } from './in-time';
import type { Delays } from './ports/delays';

const never = new Promise<string>(() => undefined);
const late = (): never => {
  throw new Error('too late');
};
let waiting: Set<() => void>;
const delays: Delays = {
  after(_, work) {
    waiting.add(work);
    return () => void waiting.delete(work);
  },
};
beforeEach(() => {
  waiting = new Set();
});

test('work that ends in time ends as it does, well or not, and nothing waits on', async () => {
  expect(await inTime(delays, Promise.resolve('done'), 1, late)).toBe('done');
  const failed = Promise.reject(new Error('failed'));
  await expect(inTime(delays, failed, 1, late)).rejects.toThrow('failed');
  expect(waiting.size).toBe(0);
});

test('of work that lasts longer, the caller says what it comes to', async () => {
  const none = inTime(delays, never, 1, () => 'none');
  const refused = inTime(delays, never, 1, late);
  for (const end of waiting) end();
  expect(await none).toBe('none');
  await expect(refused).rejects.toThrow('too late');
});
