import { keptSigner } from './kept-signer';
import type { SignersStart, StartedSigner } from './local-signers';

const TO = {} as SignersStart;

/** A signer whose starts end as given, and how often it was started and stopped. */
function begun(...outcomes: readonly Promise<unknown>[]) {
  const counts = { starts: 0, stops: 0 };
  const kept = { stop: async () => void (counts.stops += 1) };
  const outcome = outcomes.values();
  const signer = keptSigner(async () => {
    counts.starts += 1;
    await outcome.next().value;
    return { kept } as unknown as StartedSigner;
  });
  return { signer, counts };
}

test('it is started once, and again after a failure', async () => {
  const { signer, counts } = begun(Promise.reject(new Error('no port')), Promise.resolve());
  for (const starting of [signer.start(TO), signer.start(TO)]) {
    await expect(starting).rejects.toThrow('no port');
  }
  const [first, second] = await Promise.all([signer.start(TO), signer.start(TO)]);
  expect(first).toBe(second);
  expect(await signer.start(TO)).toBe(first);
  expect(counts).toEqual({ starts: 2, stops: 0 });
});

test('to stop waits for its start, whatever becomes of that', async () => {
  const never_asked = begun();
  await never_asked.signer.stop();
  expect(never_asked.counts).toEqual({ starts: 0, stops: 0 });

  const serving = Promise.withResolvers<void>();
  const { signer, counts } = begun(serving.promise);
  const starting = signer.start(TO);
  const stopped = signer.stop();
  serving.resolve();
  await Promise.all([starting, stopped]);
  expect(counts).toEqual({ starts: 1, stops: 1 });

  const failing = begun(Promise.reject(new Error('no port')));
  const failed = failing.signer.start(TO).catch(() => 'failed');
  await failing.signer.stop();
  expect([await failed, failing.counts.stops]).toEqual(['failed', 0]);
});
