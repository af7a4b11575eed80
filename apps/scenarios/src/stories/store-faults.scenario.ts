/**
 * @landing eventstore
 * @runs eventstore
 * @program own
 */
import { check, checkFromTheBeginning, History } from '../harness/checker';
import type { Answer } from '../harness/client';
import { eventually } from '../harness/eventually';
import { Program } from '../harness/program';
import { Receiver } from '../harness/receiver';
import { newMerchant, type Merchant } from '../harness/merchants';
import { Load, settle } from '../harness/load';

// EventStoreDB fails under load. A wrong expected revision is a case of every event store's conformance
// (libs/eventing/src/testing/appending-conformance.ts).
let program: Program;
let receiver: Receiver;
let merchant: Merchant;
const history = new History();

beforeAll(async () => {
  receiver = await Receiver.start();
  program = await Program.start();
  merchant = await newMerchant(program, { webhook_url: receiver.url });
});
afterAll(async () => {
  await receiver.close();
  await program.discard();
});

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

test('the store is killed and comes back under load', async () => {
  const load = new Load({ merchant, history, name: 'killed' });
  await load.served(3);
  await program.let('eventstore', 'kill');
  await eventually(async () => load.outcomes.at(-1), (last) => last === 503);
  await program.let('eventstore', 'start');
  await recovers(load);
});

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
});

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
});

test('acknowledgements that are lost: what was committed counts once', async () => {
  const load = new Load({ merchant, history, name: 'lost' });
  await load.served(3);
  await program.let('eventstore', 'misbehave', { lose_acks: 5 });
  await eventually(async () => load.outcomes, (all) => all.includes(503));
  await recovers(load);
});

test('subscriptions that fall silent are replaced', async () => {
  const load = new Load({ merchant, history, name: 'silent' });
  await load.served(3);
  await program.let('eventstore', 'misbehave', { silence: true });
  await load.served(3);
  await program.let('eventstore', 'misbehave', {});
  await recovers(load);
});

test('and afterwards every answer of the beginning is still the same', () =>
  checkFromTheBeginning(program, merchant, receiver, history));
