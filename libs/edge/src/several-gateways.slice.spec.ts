import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { memoryEventStore, seededRandom } from '@tender/adapter-memory';
import { postgresReadModels, type PostgresReadModels } from '@tender/adapter-postgres';
import { commandHandler, streamName, type ReadModels } from '@tender/eventing';
import { ApiError, tellPosition } from '@tender/http';
import { accept, type Decider, type Decision } from '@tender/kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { silentLog, startTestPostgres, type TestPostgres } from '@tender/adapter-postgres/testing';
import { gatewayTables } from './gateway-tables';
import { Limiter } from './limits/limiter';
import { storedLimitBlocks } from './limits/limit-block.record';
import { bearer, EdgeStage, SAME_REQUEST, TEST_KEY } from './testing/edge-stage';

let server: TestPostgres;
let url: string;
let readModels: PostgresReadModels;

beforeAll(async () => {
  server = await startTestPostgres();
  url = await server.database();
  readModels = postgresReadModels({
    connectionString: url,
    schemas: [gatewayTables.schema],
    migrations: gatewayTables.migrations,
    log: silentLog,
    pool_max: 8,
  });
  await readModels.start();
});
afterAll(async () => {
  await readModels.close();
  await server.stop();
});

type OrderTaken = { readonly type: 'OrderTaken'; readonly data: { readonly amount: number } };
interface TakeOrder {
  readonly type: 'TakeOrder';
  readonly amount: number;
}
const orderDecider = {
  initial: null,
  evolve: (_: number | null, { data }: OrderTaken): number => data.amount,
  decide: {
    TakeOrder: ({ amount }: TakeOrder): Decision<OrderTaken, never> =>
      accept({ type: 'OrderTaken', data: { amount } }),
  },
} satisfies Decider<number | null, OrderTaken>;
const handleOrder = commandHandler({ decider: orderDecider, begins: ['TakeOrder'] });

/** Two gateways on one database, in front of services that write one log. */
function twoGateways(config: object = { rate_limits: 'off' }, tables: ReadModels = readModels) {
  const store = memoryEventStore();
  const clock = { now: () => Date.now(), wall: () => Date.now() };
  const writing = { eventStore: store, clock, random: seededRandom() };
  const takeOrder = async ({ tender, body }: FastifyRequest, reply: FastifyReply) => {
    const { amount } = body as { amount: number };
    if (amount > 1000) throw new ApiError(422, 'amount_too_large', 'It is too much.');
    const stream = streamName('order', 'test', tender.id_seed);
    const command = { type: 'TakeOrder', amount } as const;
    const handled = await handleOrder(writing, stream, command, { ...tender, causation_id: null });
    if (!handled.ok) throw new ApiError(409, handled.refusal, 'The key was used before.');
    tellPosition(reply, handled);
    return { id: tender.id_seed, amount: handled.state };
  };
  const gateway = (own: ReadModels) =>
    new EdgeStage({ config, readModels: own, handlers: { createPayment: takeOrder } });
  return { store, gateways: [gateway(tables), gateway(readModels)] as const };
}

const key = (value: string) => ({ 'idempotency-key': value });

test('one key at both gateways at once: one effect; requests that are answered are answered alike', async () => {
  const { store, gateways } = twoGateways();
  for (let round = 0; round < 30; round += 1) {
    const own = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, at) =>
        (gateways[at % 2] as EdgeStage).payments({ amount: 10 }, key(own)),
      ),
    );
    const taken = answers.filter(({ statusCode }) => statusCode === 200);
    expect(taken.length).toBeGreaterThan(0);
    expect(new Set(taken.map(({ body }) => body)).size).toBe(1);
    for (const { statusCode, json } of answers.filter((answer) => !taken.includes(answer))) {
      expect([statusCode, json<{ code: string }>().code]).toEqual([409, 'idempotency_in_flight']);
    }
    expect(store.all).toHaveLength(round + 1);
  }
});

test('one key with two bodies at once: one effect, the other body is refused', async () => {
  const { store, gateways } = twoGateways();
  const own = randomUUID();
  const answers = await Promise.all(
    gateways.map((gateway, at) => gateway.payments({ amount: 10 + at }, key(own))),
  );
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
  const refused = answers.find(({ statusCode }) => statusCode === 409);
  expect(refused?.json()).toMatchObject({ code: 'idempotency_key_reused' });
  expect(store.all).toHaveLength(1);
});

/** Answers of this gateway do not reach the table until the test lets it write. */
function heldBack() {
  let write = (): void => undefined;
  const allowed = new Promise<void>((resolve) => (write = resolve));
  const held: ReadModels = {
    ...readModels,
    async query<Row>(text: string, values?: readonly unknown[]) {
      if (text.startsWith('insert into gateway.stored_answers')) await allowed;
      return readModels.query<Row>(text, values);
    },
  };
  return { held, write };
}

test('before the answer is in the table, the other gateway answers from the log, and says so', async () => {
  const { held, write } = heldBack();
  const { store, gateways } = twoGateways(undefined, held);
  const [one, other] = gateways;
  const own = randomUUID();
  const first = await one.payments({ amount: 10 }, key(own));
  const again = await other.payments({ amount: 10 }, key(own));
  expect([again.statusCode, again.body]).toEqual([200, first.body]);
  expect(again.headers['idempotency-replayed']).toBe('true');
  const reused = await other.payments({ amount: 11 }, key(own));
  expect([reused.statusCode, reused.json()]).toMatchObject([409, { code: 'idempotency_key_reused' }]);
  expect(store.all).toHaveLength(1);
  write();
});

test('a refusal that is not in the table is decided anew, to the same answer; then it is repeated', async () => {
  const { held, write } = heldBack();
  const { store, gateways } = twoGateways(undefined, held);
  const [one, other] = gateways;
  const sent = { ...key(randomUUID()), ...SAME_REQUEST };
  const first = await one.payments({ amount: 5000 }, sent);
  const anew = await other.payments({ amount: 5000 }, sent);
  expect([anew.statusCode, anew.body]).toEqual([422, first.body]);
  expect(anew.headers['idempotency-replayed']).toBeUndefined();
  write();
  await Promise.all(gateways.map(({ edge }) => edge.idle()));
  for (const gateway of gateways) {
    const again = await gateway.payments({ amount: 5000 }, sent);
    expect([again.body, again.headers['idempotency-replayed']]).toEqual([first.body, 'true']);
  }
  expect(store.all).toHaveLength(0);
});

test('1,000 requests over two gateways: exactly the limit', async () => {
  await readModels.query('delete from gateway.limit_blocks');
  const { store, gateways } = twoGateways({ rate_limits: 'default' });
  const answers = await Promise.all(
    Array.from({ length: 1000 }, (_, at) =>
      // From several addresses: one alone has fewer places at once.
      (gateways[at % 2] as EdgeStage).payments({ amount: 1 }, {}, `192.0.2.${at % 8}`),
    ),
  );
  const statuses = answers.map(({ statusCode }) => statusCode);
  expect(statuses.filter((status) => status === 200)).toHaveLength(50);
  expect(new Set(statuses)).toEqual(new Set([200, 429]));
  expect(store.all).toHaveLength(50);
  // Reading has its own bucket: a key that has used up the one may go on with the other.
  expect((await gateways[0].get('/api/v1/payments', bearer(TEST_KEY))).statusCode).toBe(200);
});

const ROOT = path.resolve(__dirname, '../../..');
const HOOK = path.join(ROOT, 'scripts/typescript-hook.cjs');
const LIMITING = path.join(__dirname, 'testing/limiting-process.ts');

test.each([1, 23, 60])('kill -9 of one gateway after %i requests: never more than the limit', async (after) => {
  const [bucket, limit] = [randomUUID(), 100];
  const killed = spawn(
    process.execPath,
    ['--conditions=source', '-r', HOOK, LIMITING, url, bucket, String(limit)],
    { cwd: ROOT, env: { ...process.env, NODE_OPTIONS: '' }, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const ended = new Promise((resolve) => killed.once('close', resolve));
  let said = '';
  const own = new Limiter({
    clock: { wall: () => Date.now() },
    gateway: 'the one that stays',
    refuses: true,
    blocks: storedLimitBlocks(readModels),
  });
  let admitted = 0;
  const take = async () => {
    const verdict = await own.admit(bucket, limit);
    if (verdict.admitted) admitted += 1;
    return verdict.admitted;
  };
  await new Promise<void>((resolve) => {
    killed.stdout.on('data', (chunk: Buffer) => {
      said += String(chunk);
      void take();
      if (lines(said, 'in') >= after) resolve();
    });
    killed.once('close', () => resolve());
  });
  killed.kill('SIGKILL');
  await ended;
  while (await take());
  const all = admitted + lines(said, 'in');
  expect(all).toBeLessThanOrEqual(limit);
  // What a crash wastes is the rest of one block, a fifth.
  expect(all).toBeGreaterThanOrEqual(limit - limit / 5);
});

const lines = (said: string, word: string): number =>
  said.split('\n').filter((line) => line === word).length;
