import { signersWhenAsked } from './signers-when-asked';

/** Starts that end as given, what was logged, and the pauses after failures. */
function starts(...outcomes: readonly Promise<unknown>[]) {
  const counts = { starts: 0, errors: 0 };
  const waiting = new Set<() => void>();
  const outcome = outcomes.values();
  const signers = signersWhenAsked({
    async start() {
      counts.starts += 1;
      await outcome.next().value;
    },
    delays: {
      after(_, work) {
        waiting.add(work);
        return () => void waiting.delete(work);
      },
    },
    log: {
      ...{ info: () => undefined, warn: () => undefined },
      error: () => void (counts.errors += 1),
    },
  });
  return { signers, counts, waiting };
}

const failed = (): Promise<never> => {
  const failure = Promise.reject(new Error('no ledger'));
  failure.catch(() => undefined);
  return failure;
};

test('nothing starts until they are asked, and then once', async () => {
  const { signers, counts } = starts(Promise.resolve());
  expect(counts.starts).toBe(0);
  await Promise.all([signers.awaken(), signers.awaken()]);
  await signers.awaken();
  expect(counts).toEqual({ starts: 1, errors: 0 });
});

test('why they cannot start is logged once and told to all who ask, until after a while they are tried again', async () => {
  const { signers, counts, waiting } = starts(failed(), Promise.resolve());
  for (const asking of [signers.awaken(), signers.awaken()]) {
    await expect(asking).rejects.toThrow('no ledger');
  }
  await expect(signers.awaken()).rejects.toThrow('no ledger');
  expect(counts).toEqual({ starts: 1, errors: 1 });
  for (const pass of waiting) pass();
  await signers.awaken();
  expect(counts).toEqual({ starts: 2, errors: 1 });
});

test('after refuse, callers that wait are rejected, nothing is started again, and a start that fails is not logged', async () => {
  const start = Promise.withResolvers<void>();
  const { signers, counts, waiting } = starts(start.promise);
  const waits = signers.awaken();
  signers.refuse();
  await expect(waits).rejects.toThrow('the program ends');
  await expect(signers.awaken()).rejects.toThrow('the program ends');
  start.reject(new Error('ended by Ctrl-C'));
  await new Promise(setImmediate);
  expect([counts, waiting.size]).toEqual([{ starts: 1, errors: 0 }, 0]);

  const other = starts(failed());
  await expect(other.signers.awaken()).rejects.toThrow('no ledger');
  other.signers.refuse();
  expect(other.waiting.size).toBe(0);
});
