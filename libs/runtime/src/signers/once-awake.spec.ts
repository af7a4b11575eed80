import { Unavailable } from '@tender/eventing';
import { onceAwake } from './once-awake';

function linked(awaken: () => Promise<void>, awake_ms?: number) {
  const asked: unknown[] = [];
  const answer = (message: unknown) => Promise.resolve(asked.push(message));
  return { link: onceAwake({ ask: answer }, awaken, awake_ms), asked };
}

test('nothing is asked before the signers serve, and they are awakened once', async () => {
  const awake = Promise.withResolvers<void>();
  let awakened = 0;
  const { link, asked } = linked(() => {
    awakened += 1;
    return awake.promise;
  });
  const first = link.ask('one');
  await new Promise(setImmediate);
  expect(asked).toEqual([]);
  awake.resolve();
  await first;
  await link.ask('two');
  expect([asked, awakened]).toEqual([['one', 'two'], 1]);
});

test('where they cannot start it is unavailable, and the next question tries again', async () => {
  const outcomes = [Promise.reject(new Error('no ledger')), Promise.resolve()].values();
  const { link, asked } = linked(() => outcomes.next().value as Promise<void>);
  const failure = await link.ask('one').catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(Unavailable);
  expect((failure as Error).message).toBe('a signer is unavailable: it cannot start');
  await link.ask('two');
  expect(asked).toEqual(['two']);
});

test('a start that does not end is given up', async () => {
  const { link } = linked(() => new Promise(() => undefined), 1);
  await expect(link.ask('one')).rejects.toBeInstanceOf(Unavailable);
});
