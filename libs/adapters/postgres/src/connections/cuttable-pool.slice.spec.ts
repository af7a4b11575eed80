import { Pool } from 'pg';
import { Unavailable } from '@tender/eventing';
import { CuttablePool } from './cuttable-pool';
import { startTestPostgres, type TestPostgres } from '../testing/test-postgres';

let server: TestPostgres;
let pool: Pool;
let connections: CuttablePool;
beforeAll(async () => {
  server = await startTestPostgres();
});
beforeEach(async () => {
  pool = new Pool({ connectionString: await server.database(), max: 2 });
  pool.on('error', () => undefined);
  connections = new CuttablePool(pool, 'tables');
});
afterEach(() => pool.end());
afterAll(() => server.stop());

const ONE = { text: 'select 1 as one' };
/** As if the server did not answer. */
const hangs = () => connections.query({ text: 'select pg_sleep(600)' }).catch((error: unknown) => error);

test('what hangs and what waits fails when it is cut off, and what is asked until it is restored', async () => {
  await connections.query(ONE);
  const hanging = [hangs(), hangs()];
  while (pool.totalCount < 2 || pool.idleCount > 0) await new Promise(setImmediate);
  const waiting = connections.query(ONE).catch((error: unknown) => error);
  while (pool.waitingCount === 0) await new Promise(setImmediate);

  const restore = connections.cutOff();
  for (const error of await Promise.all([...hanging, waiting])) {
    expect(String(error)).toContain('cut off');
  }
  await expect(connections.query(ONE)).rejects.toThrow(Unavailable);
  restore();
  expect((await connections.query(ONE)).rows).toEqual([{ one: 1 }]);
});

test('a connection that is idle is not used again after it was cut off', async () => {
  const backend = { text: 'select pg_backend_pid() as pid' };
  const before = (await connections.query<{ pid: number }>(backend)).rows[0]?.pid;
  connections.cutOff()();
  const after = (await connections.query<{ pid: number }>(backend)).rows[0]?.pid;
  expect(after).not.toBe(before);
});

test('two callers that cut it off must both restore it', async () => {
  const [first, second] = [connections.cutOff(), connections.cutOff()];
  first();
  first();
  await expect(connections.query(ONE)).rejects.toThrow(Unavailable);
  second();
  expect((await connections.query(ONE)).rows).toEqual([{ one: 1 }]);
});

test('a statement that is wrong fails alone: its connection is kept', async () => {
  await expect(connections.query({ text: 'select from nowhere' })).rejects.toThrow('nowhere');
  expect([pool.totalCount, pool.idleCount]).toEqual([1, 1]);
});

test('a connection that ends at the moment that it is lent ends no process', async () => {
  pool.once('acquire', (client) => {
    queueMicrotask(() => client.emit('error', new Error('terminating connection')));
  });
  expect((await connections.query(ONE)).rows).toEqual([{ one: 1 }]);
});
