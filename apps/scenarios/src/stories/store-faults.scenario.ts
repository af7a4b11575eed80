/**
 * @landing eventstore
 * @runs eventstore
 * @program own
 * @takes minutes
 */
import { expectAskAgain } from './ask-again';
import type { Answer } from '../harness/client';
import { eventually } from '../harness/eventually';
import { Program } from '../harness/program';
import { Trade } from '../harness/trade';

// EventStoreDB fails under load. A wrong expected revision is a case of every event store's conformance
// (libs/eventing/src/testing/appending-conformance.ts).
let trade: Trade;

beforeAll(async () => {
  trade = await Trade.begin(await Program.start());
});
afterAll(() => trade.end());

const create = (key: string, api = trade.merchant.api): Promise<Answer> =>
  api.post('/api/v1/payments', { amount: 3 }, { 'idempotency-key': key });
const createOnce = (key: string): Promise<Answer> => create(key, trade.merchant.api.once());

/** The store does so until `work` has ended, however that is: the tests behind it need one that is well. */
async function whileIt(misbehaves: object, work: () => Promise<void>): Promise<void> {
  await trade.program.let('eventstore', 'misbehave', misbehaves);
  await work().finally(() => trade.program.let('eventstore', 'misbehave', {}));
}

/** Its row is there: it can be read without the store. */
async function listed({ json: payment }: Answer): Promise<void> {
  const newest = () => trade.merchant.api.get('/api/v1/payments?limit=1');
  await eventually(newest, ({ json }) => json.data[0]?.id === payment.id);
}

async function health(): Promise<{ readonly readyz: number; readonly healthz: number }> {
  const [readyz, healthz] = await Promise.all(
    ['/readyz', '/healthz'].map((path) => trade.program.client().once().get(path)),
  );
  return { readyz: readyz?.status ?? 0, healthz: healthz?.status ?? 0 };
}

test('the store is killed and comes back under load', async () => {
  const load = trade.load('killed');
  await load.served(3);
  await trade.program.let('eventstore', 'kill');
  await eventually(async () => load.outcomes.at(-1), (last) => last === 503);
  await trade.program.let('eventstore', 'start');
  await trade.recovers(load);
});

test('a store that takes longer than five seconds: writes get 503, reads answer', async () => {
  const before = await create('before-slow');
  await listed(before);
  const order = { key: 'slow', amount: 3, answer: null as string | null };
  trade.history.orders.push(order, { key: 'before-slow', amount: 3, answer: before.text });
  await whileIt({ answer_delay_ms: 8_000 }, async () => {
    expectAskAgain(await createOnce(order.key));
    const read = await trade.merchant.api.get(`/api/v1/payments/${before.json.id}`);
    expect(read.status).toBe(200);
  });
  await trade.recovers(trade.load('after-slow'));
});

test('a store that refuses: writes get 503, reads answer', async () => {
  const before = await create('before-refusal');
  trade.history.orders.push(
    { key: 'before-refusal', amount: 3, answer: before.text },
    { key: 'refused', amount: 3, answer: null },
  );
  await listed(before);
  await whileIt({ refuse: true }, async () => {
    expectAskAgain(await createOnce('refused'));
    const read = await trade.merchant.api.get(`/api/v1/payments/${before.json.id}`);
    expect(read.status).toBe(200);
    expect(await health()).toEqual({ readyz: 503, healthz: 200 });
  });
  await trade.recovers(trade.load('after-refusal'));
  await eventually(health, ({ readyz, healthz }) => readyz === 200 && healthz === 200);
});

test('acknowledgements that are lost: what was committed counts once', async () => {
  const load = trade.load('lost');
  await load.served(3);
  await trade.program.let('eventstore', 'misbehave', { lose_acks: 5 });
  await eventually(async () => load.outcomes, (all) => all.includes(503));
  await trade.recovers(load);
});

test('subscriptions that fall silent are replaced', async () => {
  const load = trade.load('silent');
  await load.served(3);
  await whileIt({ silence: true }, () => load.served(3));
  await trade.recovers(load);
});

test('and afterwards every answer of the beginning is still the same', () =>
  trade.checkFromTheBeginning());
