import { CutOff } from './cut-off';

const never = () => new Promise<never>(() => undefined);
const reason = new Error('it ends');

it('ends as the work does', async () => {
  const off = new CutOff();
  await expect(off.until(Promise.resolve(1))).resolves.toBe(1);
  await expect(off.until(Promise.reject(new Error('its own')))).rejects.toThrow('its own');
});

it('cuts what waits and what comes later', async () => {
  const off = new CutOff();
  const waiting = [off.until(never()), off.until(never())];
  off.cut(reason);
  const ended = await Promise.allSettled([...waiting, off.until(Promise.resolve(1))]);
  expect(ended).toEqual(Array(3).fill({ status: 'rejected', reason }));
});
