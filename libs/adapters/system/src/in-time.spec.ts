import { inTime } from './in-time';

const never = new Promise<string>(() => undefined);
const late = (): never => {
  throw new Error('too late');
};

test('work that ends in time ends as it does, well or not', async () => {
  expect(await inTime(Promise.resolve('done'), 60_000, late)).toBe('done');
  await expect(inTime(Promise.reject(new Error('failed')), 60_000, late)).rejects.toThrow('failed');
});

test('of work that lasts longer, the caller says what it comes to', async () => {
  expect(await inTime(never, 1, () => 'none')).toBe('none');
  await expect(inTime(never, 1, late)).rejects.toThrow('too late');
});
