/**
 * @landing postgres
 * @runs postgres eventstore
 * @program own
 * @takes minutes
 */
import { COMPOSITION } from '@tender/composition';
import { houseOf, SERVICES, type ContextName, type ServiceName } from '@tender/contracts';
import pg from 'pg';
import { allAtOnce } from '../harness/all-at-once';
import { Client } from '../harness/client';
import { eventually } from '../harness/eventually';
import { newMerchant } from '../harness/merchants';
import { Program } from '../harness/program';
import { endedOtherwise, placeIn } from '../harness/stuck-work';
import { Trade } from '../harness/trade';

/** Where a service keeps its lease. */
const schemaOf = (service: ServiceName): string => {
  const [first] = houseOf(service).hosts;
  return COMPOSITION[first as ContextName].schema;
};

let program: Program;
let trade: Trade;
let gateways: Client[];
/** The same, for stories that are not about which request is answered at once. */
let patient: Client[];
let sql: pg.Client;

async function beginTrade(): Promise<void> {
  trade = await Trade.begin(program);
  const { key } = trade.merchant;
  const urls = program.running.urls ?? [];
  gateways = urls.map((url) => new Client(() => url, key));
  patient = urls.map((url) => new Client(() => url, key, { patience: 'always' }));
}

beforeAll(async () => {
  program = await Program.start({ REPLICAS: '2' });
  await beginTrade();
  sql = new pg.Client({ connectionString: program.running.postgres.connection_string });
  await sql.connect();
});
afterAll(async () => {
  await sql.end();
  await trade.end();
});

/** The replica that holds the lease now; waits until there is one. */
async function leaderOf(service: ServiceName, but: number | null = null): Promise<number> {
  const holder = async () => {
    const { rows } = await sql.query<{ owner: string }>(
      `select owner from ${schemaOf(service)}.leases where until > clock_timestamp()`,
    );
    return Number(/^pid (\d+) /.exec(rows[0]?.owner ?? '')?.[1] ?? 0);
  };
  return eventually(holder, (pid) => pid > 0 && pid !== but);
}

/** Of each service, its leader; another one than `but` has there. */
const leaders = (but: readonly number[] = []): Promise<readonly number[]> =>
  Promise.all(SERVICES.map((service, at) => leaderOf(service, but[at] ?? null)));

/** While those processes sleep, and until they wake for an answer. */
async function whileAsleep<Value>(
  pids: readonly number[],
  look: () => Promise<Value>,
): Promise<Value> {
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  return look().finally(() => pids.forEach((pid) => process.kill(pid, 'SIGCONT')));
}

test('of 100 who pay at once by a link for 5, through both gateways, five are confirmed', async () => {
  const { key } = await newMerchant(program);
  const urls = program.running.urls ?? [];
  const at = (n: number) =>
    new Client(() => urls[n % urls.length] as string, key, { patience: 'always' });
  const link = await at(0).post('/api/v1/payment-links', { amount: 1, max_uses: 5 });
  const path = `/api/v1/payment-links/${link.json.link_code}`;
  const answers = await allAtOnce(100, `${path}/pay`, at);
  const made = answers.filter(({ status }) => status === 201);
  expect(made).toHaveLength(5);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201, 410]));
  for (const { json } of made) {
    const { payment_id } = json;
    expect((await at(1).post('/api/v1/test_helpers/pay', { payment_id })).status).toBe(200);
    const paid = () => at(0).get(`/api/v1/payments/${payment_id}`);
    await eventually(paid, (payment) => payment.json.status === 'confirmed');
  }
  expect((await at(1).get(path)).json).toMatchObject({ uses_count: 5, status: 'exhausted' });
});

test('what one gateway has stored, the other one knows; a repeat there has no second effect', async () => {
  const [one, other] = patient as [Client, Client];
  expect(gateways).toHaveLength(2);
  for (let index = 0; index < 20; index += 1) {
    const order = { key: `both-${index}`, amount: 2, answer: null as string | null };
    const headers = { 'idempotency-key': order.key };
    const ask = (api: Client) => api.post('/api/v1/payments', { amount: order.amount }, headers);
    const created = await ask(one);
    const [again, read] = await Promise.all([
      ask(other),
      other.get(`/api/v1/payments/${created.json.id}`),
    ]);
    expect([created.status, again.text, read.status]).toEqual([200, created.text, 200]);
    trade.history.orders.push({ ...order, answer: created.text });
  }
});

test('the same key at both gateways at once: one payment', async () => {
  for (let index = 0; index < 20; index += 1) {
    const key = `at-once-${index}`;
    const answers = await Promise.all(
      patient.map((api) =>
        api.post('/api/v1/payments', { amount: 4 }, { 'idempotency-key': key }),
      ),
    );
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
    const texts = answers.filter(({ status }) => status === 200).map(({ text }) => text);
    expect(new Set(texts).size).toBe(1);
    trade.history.orders.push({ key, amount: 4, answer: texts[0] ?? null });
  }
  await trade.check();
});

test('the test clock moves every replica', async () => {
  const [one, other] = patient as [Client, Client];
  const created = await one.post('/api/v1/payments', { amount: 7 });
  expect(created.status).toBe(200);
  const { id } = created.json;
  // It may answer 503 while a service that has just started has no leader yet.
  const moved = await other.post('/api/v1/test_helpers/clock/advance', { seconds: 1000 });
  expect(moved.status).toBe(200);
  for (const api of patient) {
    const { status, json } = await api.get(`/api/v1/payments/${id}`);
    expect([status, json.status]).toEqual([200, 'expired']);
  }
  await trade.receiver.until(() => trade.receiver.idsOf('PaymentExpired', id).size > 0);
});

describe('under load', () => {
  beforeAll(async () => {
    await trade.receiver.close();
    await beginTrade();
  });

  test.each(SERVICES)('the leader of %s is killed: the other one takes over', async (service) => {
    const name = `killed-${service}`;
    const load = trade.load(name, gateways);
    await load.served(3);
    const leader = await leaderOf(service);
    process.kill(leader, 'SIGKILL');
    expect(await leaderOf(service, leader)).not.toBe(leader);
    await trade.recovers(load);
  });

  test('all leaders sleep past their leases: others lead, and the sleepers lead again when those sleep', async () => {
    const load = trade.load('slept', gateways);
    await load.served(3);
    const sleepers = await leaders();
    const earlier = placeIn(program);
    const heirs = await whileAsleep(sleepers, () => leaders(sleepers));
    const next = await whileAsleep(heirs, () => leaders(heirs));
    const ended = program.news.slice(earlier.news).filter(({ type }) => type === 'ended');
    // Work that takes too long to stop, on a busy machine, ends its process: the next one takes its place.
    expect(endedOtherwise(program, earlier)).toEqual([]);
    // `payments 2` is the second replica of payments.
    const had_end = new Set(ended.map(({ name }) => name.split(' ', 1)[0]));
    const undisturbed = SERVICES.flatMap((service, at) => (had_end.has(service) ? [] : [at]));
    expect(undisturbed.map((at) => next[at])).toEqual(undisturbed.map((at) => sleepers[at]));
    await trade.recovers(load);
  });

  test('and afterwards every answer of the beginning is still the same', () =>
    trade.checkFromTheBeginning());
});
