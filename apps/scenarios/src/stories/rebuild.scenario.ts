/**
 * @landing postgres
 * @program own
 */
import { Keypair } from '@solana/web3.js';
import pg from 'pg';
import { eventually } from '../harness/eventually';
import type { Client } from '../harness/client';
import { brokenInvariants } from '../harness/invariants';
import { Program } from '../harness/program';
import { Receiver } from '../harness/receiver';
import { liveKey, newMerchant, type Merchant } from '../harness/merchants';
import { linesOf, tender } from '../harness/tender';
import { bill, mailsOf } from './rebuild/billed';

let program: Program;
let receiver: Receiver;
let merchant: Merchant;
let live: Client;
let payments: string[] = [];
let intents: string[] = [];
let bills: readonly string[] = [];

interface Intent {
  readonly id: string;
  readonly client_secret: string;
}

beforeAll(async () => {
  [program, receiver] = await Promise.all([
    Program.start({ PUBLIC_URL: 'http://tender.test' }),
    Receiver.start(),
  ]);
  merchant = await newMerchant(program, { webhook_url: receiver.url });
  live = await liveKey(program, merchant);
  await trade();
  bills = await bill(merchant.api);
});

afterAll(async () => {
  await receiver.close();
  await program.discard();
});

/** Payments of each end, money that pays nothing, keys that come and go, webhooks of all of it. */
async function trade(): Promise<void> {
  const create = async (api: Client, amount: number): Promise<string> =>
    (await api.post('/api/v1/payments', { amount, metadata: { at: String(amount) } })).json.id;
  const pay = (payment_id: string, more: object = {}) =>
    merchant.api.post('/api/v1/test_helpers/pay', { payment_id, ...more });
  const expired = await create(merchant.api, 3);
  const intend = async (amount: number): Promise<Intent> =>
    (await merchant.api.post('/api/v1/payment-intents', { amount, expires_in_seconds: 900 })).json;
  const lapsed = await intend(3);
  const later = { seconds: 1000 };
  const moved = await merchant.api.post('/api/v1/test_helpers/clock/advance', later);
  expect(moved.status).toBe(200);
  const confirmed = await create(merchant.api, 5);
  const short = await create(merchant.api, 7);
  const pending = await create(merchant.api, 9);
  const other = await create(live, 11);
  expect((await pay(confirmed)).status).toBe(200);
  expect((await pay(short, { amount: 1 })).status).toBe(200);
  const [confirmed_one, canceled, waiting] = [await intend(5), await intend(7), await intend(9)];
  const { id, client_secret } = confirmed_one;
  const customer_wallet = Keypair.generate().publicKey.toBase58();
  const by = { customer_wallet, client_secret };
  const begun = await merchant.api.post(`/api/v1/payment-intents/${id}/confirm`, by);
  expect((await pay(begun.json.payment_id)).status).toBe(200);
  await merchant.api.post(`/api/v1/payment-intents/${canceled.id}/cancel`);
  await eventually(
    () => merchant.api.get(`/api/v1/payment-intents/${id}`),
    ({ json }) => json.status === 'succeeded',
  );
  intents = [lapsed, confirmed_one, canceled, waiting].map((intent) => intent.id);
  payments = [expired, confirmed, short, pending, other, begun.json.payment_id];
  await eventually(
    () => merchant.api.get(`/api/v1/payments/${confirmed}`),
    ({ json }) => json.status === 'confirmed',
  );
  await eventually(
    () => merchant.api.get(`/api/v1/payments/${short}/receipts`),
    ({ json }) => json.length > 0,
  );
  const minted = await merchant.api.post('/api/v1/keys', { mode: 'test', name: 'second' });
  expect([200, 201]).toContain(minted.status);
}

/** Every answer that a read model has a part in, byte for byte. */
async function answers(): Promise<Record<string, string>> {
  const told: Record<string, string> = {};
  const ask = async (api: Client, path: string): Promise<void> => {
    const { status, text } = await api.get(path);
    // Asking is a use of the key, which is a record, and a refusal names its request: never the same twice.
    const lasting = text.replaceAll(/"(last_used_at|correlation_id)":"[^"]*"/g, '"$1":"…"');
    told[`${api === live ? 'live' : 'test'} ${path}`] = `${status} ${lasting}`;
  };
  for (const path of bills) await ask(merchant.api, path);
  for (const api of [merchant.api, live]) {
    for (const path of [
      '/api/v1/payments?limit=2',
      '/api/v1/payments?limit=100',
      '/api/v1/payment-intents?limit=2',
      '/api/v1/payment-intents?status=expired',
      '/api/v1/receipts',
      '/api/v1/keys',
      WEBHOOKS,
      '/api/v1/events?limit=100',
      '/api/v1/merchants/me/wallet',
    ]) {
      await ask(api, path);
    }
    for (const id of payments) {
      await ask(api, `/api/v1/payments/${id}`);
      await ask(api, `/api/v1/payments/${id}/status`);
      await ask(api, `/api/v1/payments/${id}/receipts`);
    }
    for (const id of intents) {
      await ask(api, `/api/v1/payment-intents/${id}`);
      await ask(api, `/api/v1/payment-intents/${id}/events`);
    }
  }
  return told;
}

const WEBHOOKS = '/api/v1/webhooks?limit=100';

/** Whether an attempt at one of these webhooks is still to come. */
function isAwaited(told = ''): boolean {
  const webhooks = JSON.parse(told.slice(told.indexOf(' '))) as readonly { status: string }[];
  return webhooks.some(({ status }) => status === 'pending' || status === 'failed');
}

/** Nothing is on its way any more: two looks in a row show the same, and no webhook waits for its attempt. */
async function settled(): Promise<Record<string, string>> {
  let before = '';
  return eventually(answers, (now) => {
    const same = JSON.stringify(now) === before;
    before = JSON.stringify(now);
    const is_told = !['test', 'live'].some((mode) => isAwaited(now[`${mode} ${WEBHOOKS}`]));
    return same && is_told && receiver.deliveries.length >= 7;
  });
}

async function onDatabase<Result>(work: (sql: pg.Client) => Promise<Result>): Promise<Result> {
  const sql = new pg.Client({
    connectionString: program.running.postgres.connection_string,
  });
  await sql.connect();
  try {
    return await work(sql);
  } finally {
    await sql.end();
  }
}

test('every answer is the same after each table was rebuilt and put in place of the live one', async () => {
  const before = await settled();
  expect(Object.values(before).filter((answer) => answer.startsWith('200')).length).toBeGreaterThan(20);
  const sent = receiver.deliveries.length;
  const env = program.operatorsEnv();
  const replayed = await tender(['ops', 'replay', '--all', '--yes'], env);
  expect([replayed.code, replayed.errors]).toEqual([0, '']);
  const said = linesOf(replayed.output);
  // Programs of other stories live beside this one.
  const beside = expect.stringMatching(/^another system runs/);
  const warnings = (said[0]?.['warnings'] as readonly string[]).map(() => beside);
  expect(said[0]).toMatchObject({ line: 'system', run: 'services', warnings });
  const compared = said.filter(({ line }) => line === 'comparison');
  expect(compared.filter(({ same }) => !same)).toEqual([]);
  expect(compared.length).toBeGreaterThan(5);
  const last = said.at(-1);
  expect(last).toMatchObject({ phase: 'live', next: expect.stringContaining('roll-back') });
  expect(await answers()).toEqual(before);
  expect(receiver.deliveries).toHaveLength(sent);
  expect(await mailsOf(merchant.api)).toHaveLength(3);

  // The running program follows the new tables, and goes back with the operator.
  const next = await merchant.api.post('/api/v1/payments', { amount: 13 });
  const listed = () =>
    eventually(
      () => merchant.api.get('/api/v1/payments?limit=1'),
      ({ json }) => json.data[0]?.id === next.json.id,
    );
  await listed();
  const back = await tender(['ops', 'replay', 'payment-details', '--to', 'roll-back'], env);
  expect([back.code, back.errors]).toEqual([0, '']);
  await listed();
  payments.push(next.json.id);
  const states = linesOf((await tender(['ops', 'projections'], env)).output);
  expect(states.map(({ state }) => state)).not.toContain('stopped');
});

test('every answer is the same after the read models were emptied and the program started again', async () => {
  const before = await settled();
  const sent = receiver.deliveries.length;
  const env = program.operatorsEnv();
  expect((await tender(['ops', 'replay', '--all', '--to', 'drop-old'], env)).code).toBe(0);
  await onDatabase(async (sql) => {
    // Consumers keep their place, records stay: only what comes from the log is gone. Rows and checkpoints
    // go together: a follower begins again where it finds its checkpoint.
    await sql.query('begin');
    for (const schema of ['accounts', 'payments', 'billing', 'webhook_dispatcher']) {
      const { rows } = await sql.query(`select view, generation from ${schema}.generations`);
      for (const { view, generation } of rows) {
        await sql.query(`truncate ${schema}.${view}_g${generation}`);
      }
      await sql.query(`delete from ${schema}.checkpoints where follower like '%@%'`);
    }
    await sql.query('commit');
  });
  await program.stop();
  await program.start();
  await eventually(answers, (now) => JSON.stringify(now) === JSON.stringify(before));
  expect(receiver.deliveries).toHaveLength(sent);
  // The mailbox is in the memory of the process.
  expect(await mailsOf(merchant.api)).toEqual([]);
});

test('a record is refused, and the data folder of nothing is a sentence', async () => {
  const env = program.operatorsEnv();
  const refused = await tender(['ops', 'replay', 'webhook-dispatcher.deliveries'], env);
  expect([refused.code, linesOf(refused.output).map(({ line }) => line)]).toEqual([1, ['system']]);
  expect(refused.errors).toMatch(/is a record, not a projection/);
  const nowhere = await tender(['ops', 'projections'], { DATA_DIR: `${program.data_dir}/none` });
  expect([nowhere.code, nowhere.errors]).toEqual([1, expect.stringMatching(/Start the program/)]);
});

test('nothing of all that breaks an invariant', async () => {
  expect(await brokenInvariants(program)).toEqual([]);
});
