import { Unavailable } from '@tender/eventing';
import { answeredWithin } from './answered-within';
import { sending } from './sending';

test('an answer that does not come is not waited for', async () => {
  await expect(answeredWithin(1, new Promise(() => undefined))).rejects.toThrow(Unavailable);
  expect(await answeredWithin(60_000, Promise.resolve('it'))).toBe('it');
});

test('prices are not waited for as long as a node may take', async () => {
  jest.useFakeTimers();
  const hanging = { use: () => new Promise(() => undefined) };
  const told = sending(hanging as never).recentUnitPrices([]);
  const refused = expect(told).rejects.toThrow(Unavailable);
  await jest.advanceTimersByTimeAsync(1_000);
  await refused;
  jest.useRealTimers();
});
