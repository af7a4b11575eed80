import { aFewAtATime } from './a-few-at-a-time';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('each is worked on once, and never more than 16 at once', async () => {
  const items = Array.from({ length: 100 }, (_, n) => n);
  const done: number[] = [];
  let [under_way, most] = [0, 0];
  await aFewAtATime(items, async (item) => {
    under_way += 1;
    most = Math.max(most, under_way);
    await turn();
    under_way -= 1;
    done.push(item);
  });
  expect([done.toSorted((one, other) => one - other), most]).toEqual([items, 16]);
});

test('after a failure none is begun, and those under way end before it is thrown', async () => {
  let [begun, ended] = [0, 0];
  const work = async (item: number): Promise<void> => {
    begun += 1;
    await turn();
    ended += 1;
    if (item === 3) throw new Error('away');
  };
  await expect(aFewAtATime(Array.from({ length: 100 }, (_, n) => n), work)).rejects.toThrow('away');
  expect([begun < 40, ended]).toEqual([true, begun]);
});
