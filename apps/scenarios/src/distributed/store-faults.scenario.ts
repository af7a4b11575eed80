import { check, type History } from '../checker';
import type { Answer } from '../client';
import { eventually } from '../eventually';
import { Program, RUN } from '../program';
import { Receiver } from '../receiver';
import { newMerchant, type Merchant } from '../story';
import { Load, settle } from './load';

// The store of the log fails under load, and what else needs Postgres fails with it. A wrong expected revision
// is a case of every event store's conformance (libs/eventing/src/testing/appending-conformance.ts).
let program: Program;
let receiver: Receiver;
let merchant: Merchant;
const history: History = { orders: [], paid: new Map() };

beforeAll(async () => {
  receiver = await Receiver.start();
  program = await Program.start();
  merchant = await newMerchant(program, { webhook_url: receiver.url });
}, 180_000);
afterAll(async () => {
  await receiver.close();
  await program.discard();
}, 60_000);

async function recovers(load: Load): Promise<void> {
  await load.served(3);
  await load.stop();
  await settle(program, merchant);
  await check(program, merchant, receiver, history);
}

const create = (key: string): Promise<Answer> =>
  merchant.api.post('/api/v1/payments', { amount: 3 }, { 'idempotency-key': key });

async function health(): Promise<{ readonly readyz: number; readonly healthz: number }> {
  const [readyz, healthz] = await Promise.all(
    ['/readyz', '/healthz'].map((path) => program.client().get(path)),
  );
  return { readyz: readyz?.status ?? 0, healthz: healthz?.status ?? 0 };
}

/** As a client is told to wait: 503, and for how long. */
function expectAskAgain(answer: Answer): void {
  expect([answer.status, answer.json.code]).toEqual([503, 'service_unavailable']);
  const wait_s = Number(answer.headers['retry-after']);
  expect(wait_s).toBeGreaterThan(0);
  expect(wait_s).toBeLessThanOrEqual(6);
}

const onPostgres = () => {
  test.each(['stop', 'kill'] as const)(
    'Postgres comes back after a %s under load, and nobody has to do anything',
    async (how) => {
      const load = new Load({ merchant, history, name: how });
      await load.served(3);
      await program.let('postgres', how);
      // Without it a write is told to come again, or nothing: who cannot renew its lease ends.
      await eventually(async () => load.outcomes.at(-1), (last) => last !== 200, 60_000);
      await program.let('postgres', 'start');
      await recovers(load);
    },
    300_000,
  );
};

const onEventStore = () => {
  test('the store is killed and comes back under load', async () => {
    const load = new Load({ merchant, history, name: 'killed' });
    await load.served(3);
    await program.let('eventstore', 'kill');
    await eventually(async () => load.outcomes.at(-1), (last) => last === 503, 60_000);
    await program.let('eventstore', 'start');
    await recovers(load);
  }, 300_000);

  test('a store that takes longer than five seconds: writes ask for patience, reads answer', async () => {
    const before = await create('before-slow');
    await program.let('eventstore', 'misbehave', { answer_delay_ms: 8_000 });
    const order = { key: 'slow', amount: 3, answer: null as string | null };
    history.orders.push(order, { key: 'before-slow', amount: 3, answer: before.text });
    expectAskAgain(await create(order.key));
    const read = await merchant.api.get(`/api/v1/payments/${before.json.id}`);
    expect(read.status).toBe(200);
    await program.let('eventstore', 'misbehave', {});
    await recovers(new Load({ merchant, history, name: 'after-slow' }));
  }, 300_000);

  test('a store that refuses: writes ask for patience, reads answer', async () => {
    const before = await create('before-refusal');
    history.orders.push(
      { key: 'before-refusal', amount: 3, answer: before.text },
      { key: 'refused', amount: 3, answer: null },
    );
    const row = () => merchant.api.get('/api/v1/payments?limit=1');
    await eventually(row, ({ json }) => json.data[0]?.id === before.json.id);
    await program.let('eventstore', 'misbehave', { refuse: true });
    expectAskAgain(await create('refused'));
    const read = await merchant.api.get(`/api/v1/payments/${before.json.id}`);
    expect(read.status).toBe(200);
    expect(await health()).toEqual({ readyz: 503, healthz: 200 });
    await program.let('eventstore', 'misbehave', {});
    await recovers(new Load({ merchant, history, name: 'after-refusal' }));
    expect(await health()).toEqual({ readyz: 200, healthz: 200 });
  }, 300_000);

  test('acknowledgements that are lost: what was committed counts once', async () => {
    const load = new Load({ merchant, history, name: 'lost' });
    await load.served(3);
    await program.let('eventstore', 'misbehave', { lose_acks: 5 });
    await eventually(async () => load.outcomes, (all) => all.includes(503), 60_000);
    await recovers(load);
  }, 300_000);

  test('subscriptions that fall silent are replaced', async () => {
    const load = new Load({ merchant, history, name: 'silent' });
    await load.served(3);
    await program.let('eventstore', 'misbehave', { silence: true });
    await load.served(3);
    await program.let('eventstore', 'misbehave', {});
    await recovers(load);
  }, 300_000);
};

if (RUN === 'postgres') describe('Postgres holds the log', onPostgres);
else describe('EventStoreDB holds the log', onEventStore);
