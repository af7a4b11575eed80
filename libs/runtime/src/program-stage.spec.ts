import type { Worker } from '@tender/eventing';
import { programStage } from './program-stage';

/** A program whose worker appends in its first rounds, so many times. */
function program(appends: number, has_log: boolean) {
  let [head, rounds] = [0, 0];
  const worker: Worker = {
    ...{ name: 'worker', start: async () => undefined, stop: async () => undefined },
    async idle() {
      rounds += 1;
      if (rounds <= appends) head += 1;
    },
  };
  const stage = programStage({
    work: { workers: () => [worker], followers: () => [{ idle: async () => undefined }] },
    clock: { offset: () => 0, setOffset: () => undefined },
    ...(has_log ? { log: { newest: async () => String(head) } } : {}),
  });
  return { stage, rounds: () => rounds };
}

test.each([
  [0, 1],
  [1, 2],
  [5, 3],
])('what appends in %i rounds is at rest after %i', async (appends, expected) => {
  const { stage, rounds } = program(appends, true);
  await stage.idle();
  expect(rounds()).toBe(expected);
});

test('where its parts meet in more than the log, it takes every round', async () => {
  const { stage, rounds } = program(0, false);
  await stage.idle();
  expect(rounds()).toBe(3);
});
