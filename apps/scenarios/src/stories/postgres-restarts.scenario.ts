/**
 * @landing postgres
 * @runs postgres eventstore
 * @program own
 */
import { SERVICES } from '@tender/contracts';
import pg from 'pg';
import { eventually } from '../harness/eventually';
import { expectAskAgain } from './ask-again';
import { settle } from '../harness/load';
import { Program } from '../harness/program';
import { RUN } from '../harness/running-program';
import { endedOtherwise, placeIn } from '../harness/stuck-work';
import { Trade } from '../harness/trade';

let program: Program;
let trade: Trade;

beforeAll(async () => {
  // Each step down is a line of its own.
  program = await Program.start({ LOG_LEVEL: 'debug' });
  trade = await Trade.begin(program);
  await settle(program, trade.merchant);
});
afterAll(() => trade.end());

/** Which services have logged since then that their leader stands by. */
const steppedDown = (since: number) => async (): Promise<readonly string[]> => {
  const said = program.output.slice(since);
  return SERVICES.filter((name) => said.includes(`"service":"${name}","msg":"this replica no longer`));
};

/** Which services have a leader now, who can step down: after an outage the next one may take a while. */
async function led(): Promise<readonly string[]> {
  const sql = new pg.Client({ connectionString: program.running.postgres.connection_string });
  await sql.connect();
  try {
    const { rows } = await sql.query<{ table_schema: string }>(
      "select table_schema from information_schema.tables where table_name = 'leases'",
    );
    const held = rows.map(({ table_schema }) => `select name, until from ${table_schema}.leases`);
    const leases = await sql.query<{ name: string }>(
      `select name from (${held.join(' union all ')}) held where until > clock_timestamp()`,
    );
    return leases.rows.map(({ name }) => name);
  } finally {
    await sql.end();
  }
}

const somePayment = (): string => {
  const { answer } = trade.history.orders.find((order) => order.answer !== null) ?? {};
  return (JSON.parse(answer ?? '{}') as { readonly id: string }).id;
};

/** How the gateway answers while Postgres is away. The history keeps this order, as it keeps those of the load. */
async function expectPatience(key: string): Promise<void> {
  const api = trade.merchant.api.once();
  trade.history.orders.push({ key, amount: 3, answer: null });
  const headers = { 'idempotency-key': key };
  expectAskAgain(await api.post('/api/v1/payments', { amount: 3 }, headers));
  // The log in EventStoreDB has every payment.
  const read = RUN === 'eventstore' ? [`/api/v1/payments/${somePayment()}`] : [];
  for (const path of ['/healthz', '/openapi.json', ...read]) {
    expect([path, (await api.get(path)).status]).toEqual([path, 200]);
  }
  // It shows whether the log answers.
  expect((await api.get('/readyz')).status).toBe(RUN === 'eventstore' ? 200 : 503);
}

test.each(['pause', 'stop', 'kill'] as const)(
  'Postgres is away for longer than a lease (%s) under load: no process ends, and all go on by themselves',
  async (how) => {
    const load = trade.load(how);
    await load.served(3);
    await eventually(led, (names) => SERVICES.every((name) => names.includes(name)));
    const earlier = placeIn(program);
    await program.let('postgres', how);
    try {
      await eventually(steppedDown(earlier.output), (names) => names.length === SERVICES.length);
      await expectPatience(`away-${how}`);
    } finally {
      await program.let('postgres', how === 'pause' ? 'resume' : 'start');
    }
    await trade.recovers(load);
    // Only work that takes too long to stop, on a busy machine, ends its process.
    expect(endedOtherwise(program, earlier)).toEqual([]);
  },
);
