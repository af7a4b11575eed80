import { Rounds } from './rounds.worker';

const FOR_EVER_MS = 3_600_000;

/** Rounds that each wait to be let go, and what they have told. */
function arranged(rests_ms: readonly number[]) {
  const begun: PromiseWithResolvers<void>[] = [];
  const failures: unknown[] = [];
  let heard = Promise.withResolvers<void>();
  const rounds = new Rounds(
    async () => {
      const round = Promise.withResolvers<void>();
      begun.push(round);
      heard.resolve();
      await round.promise;
      return rests_ms[begun.length - 1] ?? FOR_EVER_MS;
    },
    (error) => {
      failures.push(error);
      return 0;
    },
  );
  return {
    ...{ rounds, failures },
    /** Resolves with the round of that number, once it has begun. */
    async begun(number: number): Promise<PromiseWithResolvers<void>> {
      while (begun.length < number) {
        await heard.promise;
        heard = Promise.withResolvers<void>();
      }
      return begun[number - 1] as PromiseWithResolvers<void>;
    },
    count: () => begun.length,
    async resting(): Promise<void> {
      while (!rounds.isResting) await new Promise(setImmediate);
    },
  };
}

test('a round that wants no rest is followed at once by the next; one that rests can be woken', async () => {
  const { rounds, begun, resting } = arranged([0, FOR_EVER_MS]);
  rounds.start();
  (await begun(1)).resolve();
  (await begun(2)).resolve();
  await resting();
  rounds.wake();
  (await begun(3)).resolve();
  await rounds.stop();
});

test('what wakes it during a round is not forgotten', async () => {
  const { rounds, begun } = arranged([FOR_EVER_MS]);
  rounds.start();
  const first = await begun(1);
  rounds.wake();
  first.resolve();
  (await begun(2)).resolve();
  await rounds.stop();
});

test('who waits for a rest is told of the next one, and of the end', async () => {
  const { rounds, begun, resting } = arranged([0, FOR_EVER_MS]);
  await rounds.rested();
  rounds.start();
  const told: string[] = [];
  const first = await begun(1);
  const rested = rounds.rested().then(() => told.push('rest'));
  first.resolve();
  const second = await begun(2);
  expect(told).toEqual([]);
  second.resolve();
  await resting();
  await rested;
  const ended = rounds.rested().then(() => told.push('end'));
  await rounds.stop();
  await ended;
  expect(told).toEqual(['rest', 'end']);
});

test('it tells of a round that fails, and begins the next', async () => {
  const { rounds, begun, failures } = arranged([]);
  const fault = new Error('away');
  rounds.start();
  (await begun(1)).reject(fault);
  (await begun(2)).resolve();
  await rounds.stop();
  expect(failures).toEqual([fault]);
});

test('it stops after the round under way, starts once, and can be started again', async () => {
  const { rounds, begun, count } = arranged([]);
  rounds.start();
  rounds.start();
  const first = await begun(1);
  const stopped = rounds.stop();
  expect(rounds.isRunning).toBe(false);
  first.resolve();
  await stopped;
  expect(count()).toBe(1);
  rounds.start();
  (await begun(2)).resolve();
  await rounds.stop();
});
