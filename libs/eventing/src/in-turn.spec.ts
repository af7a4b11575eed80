import { InTurn } from './in-turn';

test('work on one thing is done in turn, whatever became of the work before; other work does not wait', async () => {
  const in_turn = new InTurn();
  const done: string[] = [];
  let release = (): void => undefined;
  const gate = new Promise<void>((resolve) => (release = resolve));
  const first = in_turn.run('a', async () => {
    await gate;
    done.push('first');
    throw new Error('no');
  });
  const second = in_turn.run('a', async () => done.push('second'));
  await in_turn.run('b', async () => done.push('other'));
  expect(done).toEqual(['other']);
  expect([in_turn.isTaken('a'), in_turn.isTaken('b')]).toEqual([true, false]);
  release();
  await expect(first).rejects.toThrow('no');
  await second;
  expect(in_turn.isTaken('a')).toBe(false);
  expect(done).toEqual(['other', 'first', 'second']);
});
