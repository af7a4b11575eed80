import { NotThisOne, Unavailable, UnstorableText } from '@tender/eventing';
import { answered, valueOf } from './thread-fault';

/** As it comes out of the other thread. */
const across = async <Value>(work: () => Promise<Value>): Promise<Value> =>
  valueOf(answered(work).then((answer) => structuredClone(answer)));

test('a value arrives as it is', async () => {
  await expect(across(async () => ({ position: '7' }))).resolves.toEqual({ position: '7' });
  await expect(across(async () => undefined)).resolves.toBeUndefined();
});

test.each([
  new Unavailable('event log', { reason: 'not connected' }),
  new NotThisOne('fraud', { reason: 'the list is stale' }),
  new UnstorableText('payment.test-1'),
  new Error('something of ours'),
])('%s is the same kind of failure in the other thread', async (fault) => {
  const heard: unknown = await across(() => Promise.reject(fault)).catch((error: unknown) => error);
  expect((heard as Error).constructor).toBe(fault.constructor);
  expect(heard).toMatchObject({ message: fault.message, stack: fault.stack });
});

test('what is unavailable names its part, and a text that cannot be stored its stream', async () => {
  await expect(across(() => Promise.reject(new Unavailable('the chain')))).rejects.toHaveProperty('part', 'the chain');
  await expect(across(() => Promise.reject(new UnstorableText('payment.test-1')))).rejects.toHaveProperty('stream', 'payment.test-1');
});
