import { startTestPostgres, type TestPostgres } from '@tender/adapter-postgres/testing';
import { operationDigest, type Operation, type Roster } from '@tender/threshold';
import { base58 } from '@tender/transactions';
import type { Pool } from 'pg';
import { ledgerPool } from './ledger-pool';
import { migrate, transaction, type Tx } from './ledger-database';
import {
  burn, lockCredit, lockOperation, move, openBeside, releaseLapsed, reserve, usedOfDay, viewOf,
} from './operations';
import { addWallet, lockWallet, lockWithOperation } from './wallets';

const DAY_MS = 86_400_000;
const [one, other] = [base58(Buffer.alloc(32, 1)), base58(Buffer.alloc(32, 2))];
let postgres: TestPostgres;
let pool: Pool;
const lost: Error[] = [];
beforeAll(async () => {
  postgres = await startTestPostgres();
  pool = ledgerPool({ connectionString: await postgres.database() }, (error) => lost.push(error));
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
const reserved = (
  op: Operation,
  session = 'session',
  now_ms = 1_000,
  usd_cents = 100,
  credited_wallet = op.credit === null ? null : op.wallet,
) =>
  inWallet(op.wallet, (tx) =>
    reserve(tx, {
      ...{ op, op_digest: operationDigest(op), usd_cents, session, now_ms, credited_wallet },
      ...{ session_ends_ms: now_ms + 15_000, marker: 'marker', message: Buffer.of(1) },
      ...{ dead_after_height: 1, seen_slot: 1 },
    }),
  );
const about = ({ wallet, credit }: Operation, now_ms = 3_000) => ({
  ...{ session: 'session', now_ms, credited_wallet: credit === null ? null : wallet },
});
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
  const own = operation('own', { wallet, to: one });
  expect(await inWallet(wallet, (tx) => viewOf(tx, own, about(own, at)))).toEqual({
    ...{ session_burned: false, day_used_cents: 10, credit_used: 0n, is_to_operating_wallet: true },
    existing: { state: 'reserved', op_digest: operationDigest(own) },
  });
});

test('refunds of a credit are counted by wallet and asset', async () => {
  const of = (id: string, change: Partial<Operation> = {}) =>
    operation(id, { credit: 'credit', ...change });
  await reserved(of('usdc', { amount: '3' }));
  await reserved(of('sol', { asset: 'SOL', amount: '500' }));
  await reserved(of('elsewhere', { wallet: other, to: one, amount: '7000' }));
  const view = await inWallet(one, (tx) => viewOf(tx, of('next'), about(of('next'))));
  expect(view).toMatchObject({ existing: null, credit_used: 3n });
  const settlement = of('settlement', { type: 'settlement', credit: null });
  const none = await inWallet(one, (tx) => viewOf(tx, settlement, about(settlement)));
  expect(none).toMatchObject({ existing: null, credit_used: 0n });
});

describe('of a credit of the wallet that two operating wallets settle to', () => {
  const settles = base58(Buffer.alloc(32, 3));
  const of = (credit: string, wallet: string, id: string) =>
    operation(`${credit}-${id}`, { credit, wallet, to: settles, amount: '3' });
  const taken = (op: Operation, session: string, now_ms: number) =>
    reserved(op, session, now_ms, 100, settles);
  const seen = (op: Operation, tx: Tx) =>
    viewOf(tx, op, { session: 'view', now_ms: 3_000, credited_wallet: settles });

  test('refunds of both are counted together, those of what came to one of them are not', async () => {
    await taken(of('shared', one, 'first'), 's-1', 1_000);
    await taken(of('shared', other, 'second'), 's-2', 1_000);
    await reserved(of('shared', other, 'own'), 's-3', 1_000);
    const next = of('shared', one, 'next');
    expect(await inWallet(one, (tx) => seen(next, tx))).toMatchObject({ credit_used: 6n });
  });

  test('who judges one of one wallet waits for the other wallet’s, and sees it', async () => {
    const [locked, first] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const [mine, theirs] = [of('race', one, 'mine'), of('race', other, 'theirs')];
    const holding = inWallet(one, async (tx) => {
      await lockCredit(tx, 'race', 1_000);
      locked.resolve();
      await first.promise;
      await reserve(tx, {
        ...{ op: mine, op_digest: operationDigest(mine), usd_cents: 1, session: 's', now_ms: 1_000 },
        ...{ session_ends_ms: 16_000, marker: 'marker', message: Buffer.of(1) },
        ...{ dead_after_height: 1, seen_slot: 1, credited_wallet: settles },
      });
    });
    await locked.promise;
    const waiting = inWallet(other, async (tx) => {
      await lockCredit(tx, 'race', 1_000);
      return seen(theirs, tx);
    });
    const waits = `select from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock' and wait_event = 'advisory'`;
    while ((await pool.query(waits)).rowCount === 0);
    first.resolve();
    await holding;
    expect(await waiting).toMatchObject({ credit_used: 3n });
  });

  test('what a lapsed session of the other wallet has reserved is given back, and noted there', async () => {
    const lapsed = of('lapsing', other, 'lapsed');
    await taken(lapsed, 's-lapsed', 1_000);
    await inWallet(one, (tx) => lockCredit(tx, 'lapsing', 16_000));
    expect(await stateOf(lapsed.id)).toBe('reserved');
    await inWallet(one, (tx) => lockCredit(tx, 'lapsing', 16_001));
    expect(await stateOf(lapsed.id)).toBe('released');
    const { rows } = await pool.query(
      `select wallet, session from journal where operation_id = $1 and what = 'released'`,
      [lapsed.id],
    );
    expect(rows).toEqual([{ wallet: other, session: 's-lapsed' }]);
  });

  test('a share that is out for the other wallet is looked at', async () => {
    const out = of('out', other, 'given');
    await taken(out, 's-out', 1_000);
    await inWallet(other, (tx) =>
      burn(tx, { operation_id: out.id, session: 's-out', intent_digest: 'd' }, 2_000),
    );
    expect(await openBeside(pool, of('out', one, 'next'), false)).toEqual([out.id]);
    expect(await openBeside(pool, of('else', one, 'next'), false)).toEqual([]);
  });
});

test('who is paid is an operating wallet where this signer holds a share of such a one', async () => {
  const own_wallet = base58(Buffer.alloc(32, 4));
  await pool.query(
    `insert into wallets (address, merchant_id, mode, epoch, roster, sealed_share)
     values ($1, 'm', 'all', 1, '{}', '{}')`,
    [own_wallet],
  );
  const toOne = async (to: string) => {
    const op = operation('next', { to });
    return (await inWallet(one, (tx) => viewOf(tx, op, about(op)))).is_to_operating_wallet;
  };
  expect(await toOne(other)).toBe(true);
  // A merchant may pay another one from a wallet of its own.
  expect(await toOne(own_wallet)).toBe(false);
  expect(await toOne(base58(Buffer.alloc(32, 5)))).toBe(false);
});

test('a share goes out with its session burned, once, and only what is reserved', async () => {
  await reserved(operation('given'), 'session-of-given');
  const given = (session: string) =>
    inWallet(one, (tx) => burn(tx, { operation_id: 'given', session, intent_digest: 'd' }, 2_000));
  expect(await given('another-session')).toBe(false);
  expect(await given('session-of-given')).toBe(true);
  expect(await given('session-of-given')).toBe(false);
  expect(await stateOf('given')).toBe('share_out');
  const view = (of: string) => inWallet(one, (tx) => viewOf(tx, operation('next'), { ...about(operation('next')), session: of }));
  expect(await view('session-of-given')).toMatchObject({ session_burned: true });
  expect(await view('another-session')).toMatchObject({ session_burned: false });
  const { rows } = await pool.query(
    `select what, wallet, session, intent_digest, at_ms from journal
     where operation_id = 'given' order by place`,
  );
  const [wallet, session] = [one, 'session-of-given'];
  expect(rows).toEqual([
    { what: 'reserved', wallet, session, intent_digest: null, at_ms: '1000' },
    { what: 'share_out', wallet, session, intent_digest: null, at_ms: '2000' },
    { what: 'burned', wallet, session, intent_digest: 'd', at_ms: '2000' },
  ]);
});

test('who waits for a wallet and its operation sees what was done before, and holds both', async () => {
  await reserved(operation('waits'));
  const [has, holding] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const frozen = inWallet(one, async (tx) => {
    has.resolve();
    await tx.query('update wallets set frozen_ms = 1 where address = $1', [one]);
    await holding.promise;
  });
  await has.promise;
  const locked = transaction(pool, async (tx) => {
    const held = await lockWithOperation(tx, one, 'waits');
    const taken = await Promise.allSettled(
      ['wallets where address', 'operations where wallet'].map((what) =>
        pool.query(`select from ${what} = $1 for update nowait`, [one]),
      ),
    );
    return { held, taken: taken.map(({ status }) => status) };
  });
  const waits = `select from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock' and query like '%join%'`;
  while ((await pool.query(waits)).rowCount === 0);
  holding.resolve();
  await frozen;
  expect(await locked).toMatchObject({ held: { frozen: true }, taken: ['rejected', 'rejected'] });
  await pool.query('update wallets set frozen_ms = null where address = $1', [one]);
});

test('an operation of another wallet is not locked with this one', async () => {
  await reserved(operation('elsewhere-only', { wallet: other, to: one }));
  expect(await transaction(pool, (tx) => lockWithOperation(tx, one, 'elsewhere-only'))).toBeNull();
  expect(await transaction(pool, (tx) => lockWithOperation(tx, one, 'never'))).toBeNull();
});

test('a connection that is cut between two statements takes its transaction with it, and not the process', async () => {
  await reserved(operation('cut'));
  const cut = inWallet(one, async (tx) => {
    await move(tx, { id: 'cut', wallet: one, session: 'session' }, 'reserved', 'share_out', 2_000);
    const { rows } = await tx.query<{ pid: number }>('select pg_backend_pid() as pid');
    const heard_of = lost.length;
    await pool.query('select pg_terminate_backend($1)', rows.map(({ pid }) => pid));
    // The pool must hear of the loss between two statements: during one, the loss would be that statement's answer.
    while (lost.length === heard_of) await new Promise(setImmediate);
  });
  await expect(cut).rejects.toThrow();
  expect(await stateOf('cut')).toBe('reserved');
  expect(lost.length).toBeGreaterThan(0);
});
