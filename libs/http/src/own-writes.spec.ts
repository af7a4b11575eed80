import type { ReadModels } from '@tender/eventing';
import type { FastifyReply } from 'fastify';
import { awaitOwnWrites } from './own-writes';

const LIST = { schema: 'payments', follower: 'payments.payment-details@1:test' };

/** What the tables were asked, and the headers that the answer got. */
async function listAfter(min_position: string | null, is_there: boolean) {
  const asked: unknown[] = [];
  const headers: Record<string, unknown> = {};
  const waitFor: ReadModels['waitFor'] = async (...args) => {
    asked.push(args);
    return is_there;
  };
  const reply = { header: (name: string, value: unknown) => (headers[name] = value) };
  const readModels = { waitFor } as ReadModels;
  await awaitOwnWrites({ readModels }, { min_position }, LIST, reply as unknown as FastifyReply);
  return { asked, headers };
}

test('a list waits half a second for what its caller wrote', async () => {
  const { asked, headers } = await listAfter('17', true);
  expect(asked).toEqual([['payments', LIST.follower, '17', 500]]);
  expect(headers).toEqual({});
});

test('it says so when that is not there by then', async () => {
  expect((await listAfter('17', false)).headers).toEqual({ 'X-Svc-Stale': 'true' });
});

test('a caller who has written nothing waits for nothing', async () => {
  expect(await listAfter(null, false)).toEqual({ asked: [], headers: {} });
});
