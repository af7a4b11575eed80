import { NotThisOne, Unavailable } from './ports/failures';
import { aFewAtATime } from './a-few-at-a-time';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('each is worked on once, and never more than 32 at once', async () => {
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
  expect([done.toSorted((one, other) => one - other), most]).toEqual([items, 32]);
});

test('those behind a failure are worked on all the same, and the first failure is thrown once all have ended', async () => {
  const ended: number[] = [];
  const work = async (item: number): Promise<void> => {
    await turn();
    ended.push(item);
    if (item === 3 || item === 40) throw new Error(`away for ${item}`);
  };
  const items = Array.from({ length: 100 }, (_, n) => n);
  await expect(aFewAtATime(items, work)).rejects.toThrow('away for 3');
  expect(ended.toSorted((one, other) => one - other)).toEqual(items);
});

test('where a part does not answer at all, no more is begun: the batch waits for it', async () => {
  const begun: number[] = [];
  const items = Array.from({ length: 500 }, (_, n) => n);
  const work = async (item: number): Promise<void> => {
    begun.push(item);
    await turn();
    throw item === 3 ? new Unavailable('payments') : new NotThisOne('payments');
  };
  const failure: unknown = await aFewAtATime(items, work).catch((error: unknown) => error);
  expect([failure, failure instanceof NotThisOne]).toEqual([new Unavailable('payments'), false]);
  // Those that ended before it have begun one more.
  expect(begun.length).toBeLessThanOrEqual(64);
});
