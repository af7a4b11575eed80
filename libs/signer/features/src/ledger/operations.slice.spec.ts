import { startTestPostgres, type TestPostgres } from '@tender/adapter-postgres/testing';
import { operationDigest, type Operation, type Roster } from '@tender/threshold';
import { base58 } from '@tender/transactions';
import { Pool } from 'pg';
import { migrate, transaction, type Tx } from './ledger-database';
import { lockOperation, move, releaseLapsed, reserve, usedOfDay, viewOf } from './operations';
import { addWallet, lockWallet } from './wallets';

const DAY_MS = 86_400_000;
const [one, other] = [base58(Buffer.alloc(32, 1)), base58(Buffer.alloc(32, 2))];
let postgres: TestPostgres;
let pool: Pool;
beforeAll(async () => {
  postgres = await startTestPostgres();
  pool = new Pool({ connectionString: await postgres.database() });
  await migrate(pool);
  await pool.query("insert into signer (role, kek_id, kek_check) values ('A', '', '')");
  for (const wallet of [one, other]) {
    const roster = { wallet, merchant_id: 'm', mode: 'test', epoch: 1 } as Roster;
    const sealed_share = { v: 1, kek_id: '', wrapped_key: '', sealed: '' } as const;
    await addWallet(pool, { roster, sealed_share, now_ms: 0 });
  }
});
afterAll(async () => {
  await pool.end();
  await postgres.stop();
});

const operation = (id: string, change: Partial<Operation> = {}): Operation => ({
  ...{ v: 1, id, type: 'refund', mode: 'test', wallet: one, to: other, asset: 'USDC' },
  ...{ amount: '1000000', credit: `credit-${id}`, exp: 0 },
  ...change,
});
const inWallet = <Result>(wallet: string, work: (tx: Tx) => Promise<Result>): Promise<Result> =>
  transaction(pool, async (tx) => {
    await lockWallet(tx, wallet);
    return work(tx);
  });
const reserved = (op: Operation, session = 'session', now_ms = 1_000, usd_cents = 100) =>
  inWallet(op.wallet, (tx) =>
    reserve(tx, {
      ...{ op, op_digest: operationDigest(op), usd_cents, session, now_ms },
      ...{ session_ends_ms: now_ms + 15_000, marker: 'marker', message: Buffer.of(1) },
      ...{ dead_after_height: 1, seen_slot: 1 },
    }),
  );
const stateOf = async (id: string) => {
  const kept = await transaction(pool, (tx) => lockOperation(tx, id));
  return kept?.state;
};
const moved = (id: string, session: string, to: 'share_out' | 'released', now_ms = 2_000) =>
  inWallet(one, (tx) => move(tx, { id, wallet: one, session }, 'reserved', to, now_ms));

test('an id that another wallet has taken in the meantime is not taken over', async () => {
  expect(await reserved(operation('taken'))).toBe(true);
  expect(await reserved(operation('taken', { wallet: other, to: one }), 'another')).toBe(false);
  expect(await reserved(operation('taken', { amount: '2' }), 'another')).toBe(false);
  expect(await inWallet(one, (tx) => lockOperation(tx, 'taken'))).toMatchObject({
    ...{ wallet: one, session: 'session' },
  });
});

test('another attempt ends the session of the one before', async () => {
  await reserved(operation('again'), 'first');
  expect(await reserved(operation('again'), 'second')).toBe(true);
  expect(await moved('again', 'first', 'share_out')).toBe(false);
  expect(await moved('again', 'second', 'share_out')).toBe(true);
  expect(await reserved(operation('again'), 'third')).toBe(false);
  expect(await stateOf('again')).toBe('share_out');
});

test('what is reserved is given back when its session is over, and only then', async () => {
  await reserved(operation('lapsed'), 'session', 50_000);
  await inWallet(one, (tx) => releaseLapsed(tx, one, 65_000));
  expect(await stateOf('lapsed')).toBe('reserved');
  await inWallet(one, (tx) => releaseLapsed(tx, one, 65_001));
  expect(await stateOf('lapsed')).toBe('released');
  expect(await moved('lapsed', 'session', 'share_out')).toBe(false);
});

test('the limit counts what was reserved or spent in 24 hours, without the operation itself', async () => {
  const wallet = other;
  const at = 10 * DAY_MS;
  await reserved(operation('old', { wallet, to: one }), 's-1', at - DAY_MS, 1);
  await reserved(operation('young', { wallet, to: one }), 's-2', at - DAY_MS + 1, 10);
  await reserved(operation('own', { wallet, to: one }), 's-3', at, 100);
  expect(await usedOfDay(pool, wallet, at)).toBe(110);
  expect(await usedOfDay(pool, wallet, at, 'own')).toBe(10);
});

test('refunds of a credit are counted by wallet and asset', async () => {
  const of = (id: string, change: Partial<Operation> = {}) =>
    operation(id, { credit: 'credit', ...change });
  await reserved(of('usdc', { amount: '3' }));
  await reserved(of('sol', { asset: 'SOL', amount: '500' }));
  await reserved(of('elsewhere', { wallet: other, to: one, amount: '7000' }));
  const view = await inWallet(one, (tx) => viewOf(tx, of('next'), 3_000));
  expect(view).toMatchObject({ existing: null, credit_used: 3n });
});
