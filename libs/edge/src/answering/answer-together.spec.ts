import { EdgeStage } from '../testing/edge-stage';

const LIST = '/api/v1/payments';

test('answers of one turn are written together, at its end', async () => {
  const turns: (() => void)[] = [];
  const stage = new EdgeStage({ atEndOfTurn: (work) => void turns.push(work) });
  const answered: number[] = [];
  const asked = [1, 2, 3].map(async (at) => {
    const { statusCode } = await stage.get(LIST);
    answered.push(at);
    return statusCode;
  });
  while (turns.length === 0) await new Promise(setImmediate);
  // Were they on their way, one of these turns would have brought them.
  for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate);
  expect([answered, turns.length]).toEqual([[], 1]);
  turns[0]?.();
  expect(await Promise.all(asked)).toEqual([200, 200, 200]);
  expect(answered).toEqual([1, 2, 3]);
  const next = stage.get(LIST);
  while (turns.length === 1) await new Promise(setImmediate);
  turns[1]?.();
  expect((await next).statusCode).toBe(200);
  await stage.server.close();
});
