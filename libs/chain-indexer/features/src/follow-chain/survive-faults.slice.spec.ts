import type { Watch } from '@tender/chain-indexer-domain';
import { memoryEventStore, seededRandom, silentLog } from '@tender/adapter-memory';
import { embeddedBus, postgresReadModels } from '@tender/adapter-postgres';
import { inProcessCalls } from '@tender/adapter-system';
import { Unavailable, type EventStore, type ReadModels } from '@tender/eventing';
import { chainHealth, chainReached } from '@tender/contracts';
import { BusTransport } from '@tender/runtime';
import { systemClock } from '../../../../adapters/postgres/src/testing/quiet-ports';
import { startTestPostgres, type TestPostgres } from '../../../../adapters/postgres/src/testing/test-postgres';
import { chainIndexerContext } from '../chain-indexer.context';
import { chainIndexerWorkers } from '../chain-indexer-workers';
import { recordsTakenOver } from '../records-taken-over';
import { IndexerStage, speakers } from '../testing/indexer-stage';
import { ScriptedChain, type ScriptedTransfer } from '../testing/scripted-chain';
import { insertWatches } from '../watch-payments/watch.record';
import { FollowChainWorker } from './follow-chain.worker';

type Store = ReturnType<typeof memoryEventStore>;

let postgres: TestPostgres;
let connectionString: string;
let eventStore: Store;
let chain: ScriptedChain;
let closers: (() => Promise<void>)[];
let seed = 1;

beforeAll(async () => {
  postgres = await startTestPostgres();
});
afterAll(() => postgres.stop());
beforeEach(async () => {
  connectionString = await postgres.database();
  eventStore = memoryEventStore();
  chain = new ScriptedChain();
  closers = [() => eventStore.close()];
});
afterEach(async () => {
  for (const close of closers.reverse()) await close();
});

interface Faults {
  readonly store?: (store: Store) => Partial<EventStore>;
  readonly readModels?: (readModels: ReadModels) => Partial<ReadModels>;
}

/** One process over the test's log, database and chain; several may live at once. */
async function process(faults: Faults = {}): Promise<IndexerStage> {
  const tables = postgresReadModels({
    connectionString,
    schemas: [chainIndexerContext.schema],
    migrations: chainIndexerContext.migrations,
    log: silentLog,
  });
  await tables.start();
  const readModels = { ...tables, ...faults.readModels?.(tables) };
  const contexts = [chainIndexerContext, ...speakers];
  const ports = { clock: systemClock, log: silentLog };
  const bus = embeddedBus({ eventStore, readModels: tables, contexts, ...ports });
  const store = Object.create(eventStore) as Store;
  const stage = new IndexerStage({
    eventStore: Object.assign(store, eventStore, faults.store?.(eventStore)),
    bus,
    readModels,
    calls: inProcessCalls(),
    clock: systemClock,
    random: seededRandom((seed += 1)),
    log: silentLog,
    chains: { test: chain, live: new ScriptedChain('finalized') },
    transport: new BusTransport(bus),
  });
  await stage.open();
  let closed = false;
  closers.push(async () => {
    if (closed) return;
    closed = true;
    await stage.close();
    await bus.close();
    await tables.close();
  });
  return stage;
}
const end = async () => closers.pop()?.();

const pay = (id = 'p1', more: Partial<ScriptedTransfer> = {}): ScriptedTransfer => ({
  to: 'alice',
  amount: 100n,
  references: [`ref-${id}`],
  ...more,
});
const ALLOCATED = ['credit-allocated', 'p1', '100'];

async function waiting(faults?: Faults): Promise<IndexerStage> {
  const stage = await process(faults);
  await stage.registerMerchant('m1', 'alice');
  await stage.createPayment({ id: 'p1', expires_at: 1000 });
  await stage.settle();
  return stage;
}
async function slotOf(stage: IndexerStage): Promise<number | undefined> {
  const cursor = `select slot::int from chain_indexer.cursors where mode = 'test'`;
  return (await stage.runtime.readModels.query<{ slot: number }>(cursor))[0]?.slot;
}
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let wait = 0; wait < 200; wait += 1) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('it did not come to be');
}

/** Fails the first time that the condition holds, then never again. */
const once = (holds: (stream: string) => boolean, before: boolean): Faults['store'] => (store) => {
  let failed = false;
  return {
    async append(stream, events, expected) {
      const fails = !failed && holds(stream);
      if (fails) failed = true;
      if (fails && before) throw new Unavailable('the log');
      const appended = await store.append(stream, events, expected);
      if (fails) throw new Unavailable('the log');
      return appended;
    },
  };
};

it.each([
  ['before the credit is decided', 'credit.', true],
  ['after the credit was decided', 'credit.', false],
  ['before the watch hears of it', 'watch.', true],
  ['after the watch heard of it', 'watch.', false],
] as const)('39, 40: a break %s ends in exactly one event', async (_, stream, before) => {
  const stage = await waiting({ store: once((name) => name.startsWith(stream), before) });
  chain.land(999, pay(), pay());
  await until(() => stage.told().length === 2);
  await stage.settle();
  expect(stage.told()).toEqual([ALLOCATED, ['money-received', 'p1', 'duplicate', '100']]);
});

it('40: a process that ends before the cursor moved is followed by one that reads the blocks again', async () => {
  let broken = true;
  const stage = await waiting({
    readModels: (tables) => ({
      transaction: (work) => (broken ? Promise.reject(new Unavailable('postgres')) : tables.transaction(work)),
    }),
  });
  const [cursor] = await stage.runtime.readModels.query('select slot from chain_indexer.cursors');
  for (let block = 0; block < 5; block += 1) chain.land(990 + block, pay());
  await until(() => stage.told().length === 5);
  expect((await stage.runtime.readModels.query('select slot from chain_indexer.cursors'))[0]).toEqual(cursor);
  await end();
  broken = false;
  const next = await process();
  await next.settle();
  expect(next.told()).toHaveLength(5);
  expect(next.told().filter(([name]) => name === 'credit-allocated')).toHaveLength(1);
  expect((await next.runtime.readModels.query<{ state: string }>('select state from chain_indexer.watches'))[0])
    .toEqual({ state: 'paid' });
});

it('42: of two indexers one works; the other goes on where it ended', async () => {
  const one = await waiting();
  const two = await process();
  chain.land(990, pay());
  await one.settle();
  expect(chain.requests['block']).toBe(1);
  await two.settle();
  expect(chain.requests['block']).toBe(1);
  await one.close();
  chain.land(991, pay());
  await until(() => two.told().length === 2);
  expect(two.told()).toEqual([ALLOCATED, ['money-received', 'p1', 'duplicate', '100']]);
});

it('44: a block that is listed but not served holds the cursor until it is', async () => {
  const stage = await waiting();
  chain.unserved.add(11);
  chain.land(999, pay());
  chain.land(1001);
  await stage.settle();
  expect(stage.told()).toEqual([]);
  chain.unserved.clear();
  await until(() => stage.told().length > 0);
  expect(stage.told()).toEqual([ALLOCATED]);
});

it('48: another chain behind the same address is not followed, and health says so', async () => {
  const stage = await waiting();
  chain.land(990);
  await stage.settle();
  await end();
  chain.genesis = 'genesis-2';
  const next = await process();
  chain.land(999, pay());
  chain.land(1001);
  await next.settle();
  expect(next.told()).toEqual([]);
  const health = await next.runtime.calls.ask(chainHealth, { mode: 'test' });
  expect(health).toEqual({ healthy: false, reason: 'the chain is genesis-2, not genesis-1' });
});

it('49: what was dropped before the commitment showed it is never told of', async () => {
  const stage = await waiting();
  chain.land(999, pay());
  chain.dropTip();
  chain.skipSlots(3);
  chain.land(999, pay('p1', { amount: 7n }));
  await stage.settle();
  expect(stage.told()).toEqual([['money-received', 'p1', 'short', '7']]);
});

it('50: ten thousand pending payments cost as many requests as ten, and expire together', async () => {
  const stage = await waiting();
  const perBlock = async (): Promise<Record<string, number>> => {
    const before = { ...chain.requests };
    for (let block = 0; block < 20; block += 1) chain.land(500, pay('nobody', { to: 'mallory' }));
    await stage.settle();
    const { block = 0, transactionsOf = 0 } = chain.requests;
    return { block: block - (before['block'] ?? 0), transactionsOf: transactionsOf - (before['transactionsOf'] ?? 0) };
  };
  const many = Array.from({ length: 10_000 }, (_, index) => ({ id: `many${index}`, expires_at: 1000 }));
  const few = await perBlock();
  await Promise.all(many.map((payment) => stage.createPayment(payment)));
  await stage.settle();
  expect(stage.indexer().book.pending).toBe(10_001);
  expect(await perBlock()).toEqual(few);
  chain.land(1001);
  await stage.settle();
  expect(stage.told().filter(([name]) => name === 'watch-closed')).toHaveLength(10_001);
  expect(stage.indexer().book.pending).toBe(0);
});

it('52: while the chain is down nothing expires and health is red; afterwards nothing is missing', async () => {
  const stage = await waiting();
  chain.down = true;
  chain.land(999, pay());
  chain.land(2000);
  await stage.settle();
  expect(stage.told()).toEqual([]);
  expect((await stage.runtime.calls.ask(chainHealth, { mode: 'test' })).healthy).toBe(false);
  const before = chain.requests['slotsAfter'] ?? 0;
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect((chain.requests['slotsAfter'] ?? 0) - before).toBeLessThan(10);
  chain.down = false;
  await until(() => stage.told().length > 0);
  await stage.settle();
  expect(stage.told()).toEqual([ALLOCATED]);
  expect((await stage.runtime.calls.ask(chainHealth, { mode: 'test' })).healthy).toBe(true);
});

it('29: an indexer that comes ten minutes late confirms what was paid in time', async () => {
  await waiting();
  await end();
  for (let block = 0; block < 100; block += 1) {
    chain.land(900 + block, ...(block === 50 ? [pay()] : []));
  }
  for (let block = 0; block < 100; block += 1) chain.land(1001 + block * 6);
  const next = await process();
  await next.settle();
  expect(next.told()).toEqual([ALLOCATED]);
  expect(next.indexer().state.watermark_ms).toBe((1001 + 99 * 6) * 1000);
});

describe('hints of slots', () => {
  /** The follower of a chain that it would hardly ever look at by itself. */
  async function seldom(stage: IndexerStage): Promise<void> {
    chain.land(900);
    await stage.settle();
    for (const worker of chainIndexerWorkers(stage.runtime)) await worker.stop();
    const worker = new FollowChainWorker(stage.runtime, 'test', 3_600_000);
    await worker.start();
    closers.push(() => worker.stop());
    await worker.idle();
  }

  it('wake the follower, which needs one request for the next block', async () => {
    const stage = await waiting();
    await seldom(stage);
    const before = { ...chain.requests };
    chain.land(999, pay());
    chain.hint();
    await until(() => stage.told().length > 0);
    expect(stage.told()).toEqual([ALLOCATED]);
    expect(chain.requests['slotsAfter']).toBe(before['slotsAfter']);
    expect(chain.requests['block']).toBe(2);
  });

  it('41: decide nothing: what they leave out is read, and what they make up is not', async () => {
    const stage = await waiting();
    await seldom(stage);
    chain.hint(12);
    await until(() => chain.requests['block'] === 2);
    chain.land(998, pay());
    chain.hint(1_000_000);
    await until(() => stage.told().length === 1);
    chain.skipSlots(2);
    chain.land(999, pay());
    chain.unserved.add(13);
    chain.hint(13);
    await until(() => stage.told().length === 2);
    expect(stage.told()).toEqual([ALLOCATED, ['money-received', 'p1', 'duplicate', '100']]);
    await until(async () => (await slotOf(stage)) === 15);
  });
});

it('54: a chain whose confirmed is final gives one transition per payment', async () => {
  const stage = await waiting();
  chain.land(999, pay());
  chain.land(1001);
  await stage.settle();
  await stage.settle();
  expect(stage.told()).toEqual([ALLOCATED]);
});

describe('money before the watch (settled 3)', () => {
  it('is found by one look-up when the payment is heard of after its block, beyond memory', async () => {
    const stage = await process();
    await stage.registerMerchant('m1', 'alice');
    await stage.settle();
    chain.land(999, pay());
    chain.land(1001);
    await stage.settle();
    expect(stage.told()).toEqual([]);
    stage.indexer().book.recent.restart(systemClock.wall());
    await stage.createPayment({ id: 'p1', expires_at: 1000 });
    await stage.settle();
    expect(stage.told()).toEqual([ALLOCATED]);
    expect(chain.requests['transactionsOf']).toBe(1);
    expect(await stage.runtime.readModels.query('select lookup_due from chain_indexer.watches')).toEqual([
      { lookup_due: false },
    ]);
  });

  it('is found though the merchant is unknown as well', async () => {
    const stage = await process();
    chain.land(999, pay());
    await stage.settle();
    await stage.createPayment({ id: 'p1', expires_at: 1000 });
    await stage.settle();
    expect(stage.told()).toEqual([ALLOCATED]);
  });

  it('is found when it came before the first slot was known', async () => {
    chain.down = true;
    const stage = await process();
    await stage.registerMerchant('m1', 'alice');
    await stage.createPayment({ id: 'p1', expires_at: 1000 });
    await until(() => stage.indexer().book.late.size === 1);
    chain.land(999, pay());
    chain.skipSlots(1_000);
    chain.down = false;
    await until(() => stage.told().length > 0);
    expect(stage.told()).toEqual([ALLOCATED]);
    expect(chain.requests['transactionsOf']).toBe(1);
  });

  it('is found when the very first blocks could not be read at once', async () => {
    chain.unserved.add(11);
    const stage = await process();
    await stage.settle();
    await stage.registerMerchant('m1', 'alice');
    await stage.createPayment({ id: 'p1', expires_at: 1000 });
    chain.land(999, pay());
    await stage.settle();
    expect(stage.indexer().book.late.size).toBe(0);
    await end();
    chain.skipSlots(1_000);
    chain.unserved.clear();
    const next = await process();
    await until(() => next.told().length > 0);
    expect(next.told()).toEqual([ALLOCATED]);
  });

  it('asks the chain nothing when recent blocks do not name the payment', async () => {
    const stage = await process();
    await stage.settle();
    chain.land(999, pay('other'));
    await stage.settle();
    await stage.createPayment({ id: 'p1', expires_at: 2000 });
    await stage.settle();
    expect(chain.requests['transactionsOf']).toBeUndefined();
    expect(chain.requests['block']).toBe(1);
    expect(await stage.runtime.readModels.query('select lookup_due from chain_indexer.watches')).toEqual([
      { lookup_due: false },
    ]);
  });

  it('is looked up when a process hears of it that has ceased to read the blocks', async () => {
    const stage = await process();
    await stage.settle();
    chain.land(999, pay('other'));
    await stage.settle();
    for (const worker of chainIndexerWorkers(stage.runtime)) await worker.stop();
    await stage.createPayment({ id: 'p1', expires_at: 2000 });
    await stage.settle();
    expect(await stage.runtime.readModels.query('select lookup_due from chain_indexer.watches')).toEqual([
      { lookup_due: true },
    ]);
  });

  it('reads a remembered block once more for all the payments that it names', async () => {
    const stage = await process();
    await stage.settle();
    const ids = ['p1', 'p2', 'p3'];
    chain.land(998, pay('other'));
    chain.land(999, ...ids.map((id) => pay(id)));
    await stage.settle();
    expect(chain.requests['block']).toBe(2);
    // One pass for all three: the chain rests until they have been heard of.
    chain.down = true;
    for (const id of ids) await stage.createPayment({ id, expires_at: 2000 });
    await until(() => stage.indexer().book.late.size === 3);
    chain.down = false;
    await until(() => stage.told().length === 3);
    await stage.settle();
    expect(stage.told().sort()).toEqual(ids.map((id) => ['credit-allocated', id, '100']));
    expect([chain.requests['transactionsOf'], chain.requests['block']]).toEqual([undefined, 3]);
    expect(stage.indexer().book.late.size).toBe(0);
  });

  it('holds the close back while the look-up cannot be made', async () => {
    const stage = await process();
    await stage.settle();
    chain.land(999, pay());
    chain.land(1001);
    await stage.settle();
    stage.indexer().book.recent.restart(systemClock.wall());
    chain.transactionsOf = () => Promise.reject(new Unavailable('the chain'));
    await stage.createPayment({ id: 'p1', expires_at: 1000 });
    await stage.settle();
    expect(stage.told()).toEqual([]);
    Reflect.deleteProperty(chain, 'transactionsOf');
    await until(() => stage.told().length > 0);
    expect(stage.told()).toEqual([ALLOCATED]);
  });
});

describe('records that were set back while the chain was followed', () => {
  const TABLES = ['cursors', 'watches', 'held_credits'].map((table) => `chain_indexer.${table}`);
  const keep = async ({ runtime: { readModels } }: IndexerStage) => {
    for (const table of TABLES) await readModels.query(`create table ${table}_was as table ${table}`);
  };
  const setBack = ({ runtime: { readModels } }: IndexerStage, more = 'select 1') =>
    readModels.transaction(async (tx) => {
      for (const table of TABLES) {
        await tx.query(`delete from ${table}`);
        await tx.query(`insert into ${table} select * from ${table}_was`);
      }
      await tx.query(more);
    });
  const statesOf = async ({ runtime: { readModels } }: IndexerStage) =>
    (await readModels.query<{ state: string }>('select state from chain_indexer.watches order by reference'))
      .map(({ state }) => state);

  it.each([
    ['seconds ago', 'select 1'],
    ['to before the lease was taken', `update chain_indexer.cursors set epoch = 0, owner = 'former'`],
    ['to before anything was read', 'delete from chain_indexer.cursors'],
  ])('%s: every block since is read again, and nothing is told twice', async (_, more) => {
    const stage = await waiting();
    await stage.createPayment({ id: 'p2', expires_at: 1000 });
    await stage.settle();
    chain.land(990);
    await stage.settle();
    await keep(stage);
    chain.land(998, pay(), pay('p1'));
    chain.land(999, pay('nobody'));
    await until(() => stage.told().length === 3);
    chain.land(1001);
    await until(async () => (await slotOf(stage)) === 14);
    expect(await statesOf(stage)).toEqual(['paid', 'closed']);
    const told = stage.told();
    expect(told).toContainEqual(['watch-closed', 'p2']);

    await setBack(stage, more);
    await until(async () => (await slotOf(stage)) === 14);
    await until(async () => (await statesOf(stage)).join() === 'paid,closed');
    // And what lands from now on.
    chain.land(1002, pay());
    await until(() => stage.told().length > told.length);
    await stage.settle();
    const [late] = stage.told().slice(told.length);
    expect(late).toEqual(['money-received', 'p1', 'duplicate', '100']);
    expect(stage.told().filter(([name]) => name === 'credit-allocated')).toHaveLength(1);
    expect(stage.told()).toHaveLength(told.length + 1);
    expect(stage.indexer().book.pending).toBe(0);
  });

  it('a commit whose answer was lost is found to hold, and nothing is told twice', async () => {
    let lost = false;
    const stage = await waiting({
      readModels: (tables) => ({
        async transaction(work) {
          const result = await tables.transaction(work);
          if (lost) return result;
          lost = true;
          throw new Unavailable('postgres');
        },
      }),
    });
    chain.land(999, pay());
    await until(async () => (await statesOf(stage))[0] === 'paid');
    chain.land(999, pay());
    await until(() => stage.told().length === 2);
    await until(async () => (await slotOf(stage)) === 12);
    expect(lost).toBe(true);
    expect(stage.told()).toEqual([ALLOCATED, ['money-received', 'p1', 'duplicate', '100']]);
  });
});

describe('a payment that the former leader wrote to the records after the next one had read them', () => {
  const writtenByFormer = async (stage: IndexerStage) => {
    const heard = stage.indexer().book.watch('ref-p1') as Watch;
    // Of a merchant whose addresses this process has not heard of either.
    const bobs = { wallet: 'bob', account: 'bob/usdc-mint', merchant_id: 'm2' };
    const created_at = new Date(0).toISOString();
    const named = { ...heard, ...bobs, reference: 'ref-p9', payment_id: 'p9' };
    const unheard = { ...named, mode: 'test', created_at, correlation_id: 'c9', lookup_due: false } as const;
    await insertWatches(stage.runtime.readModels, [unheard]);
  };

  it('is known from the moment on at which the former one can write no more, also in blocks read before', async () => {
    const stage = await waiting();
    await writtenByFormer(stage);
    chain.land(999, pay('p9', { to: 'bob' }));
    await until(async () => (await slotOf(stage)) === 11);
    expect(stage.told()).toEqual([]);
    expect(stage.indexer().book.watch('ref-p9')).toBeUndefined();
    // What the bus says of the consumer of payments when it has taken its checkpoint over.
    recordsTakenOver.tell('test');
    await until(() => stage.told().some(([, payment_id]) => payment_id === 'p9'));
    await stage.settle();
    expect(stage.told()).toEqual([['credit-allocated', 'p9', '100']]);
  });

  it('is read again when the records could not be read at once', async () => {
    let away = 0;
    const stage = await waiting({
      readModels: (tables) => ({
        query: (text, values) =>
          away > 0 && text.includes(`state = 'open'`) && (away -= 1) >= 0
            ? Promise.reject(new Unavailable('postgres'))
            : tables.query(text, values),
      }),
    });
    await writtenByFormer(stage);
    away = 2;
    recordsTakenOver.tell('test');
    await until(() => away === 0 && stage.indexer().book.watch('ref-p9') !== undefined);
    chain.land(1001);
    await until(() => stage.told().length === 2);
    expect(stage.told().sort()).toEqual([['watch-closed', 'p1'], ['watch-closed', 'p9']]);
  });
});

it('waits for a time and for what expired by then', async () => {
  const stage = await waiting();
  expect(stage.indexer().state.watermark_ms).toBeNull();
  const [follower] = chainIndexerWorkers(stage.runtime);
  expect(await follower?.nextDue()).toBe(1_001_000);
  const reached = stage.runtime.calls.ask(chainReached, { mode: 'test', block_time_ms: 1_000_500 });
  chain.land(1000);
  await stage.settle();
  expect(stage.told()).toEqual([]);
  chain.land(1001);
  expect(await reached).toEqual({ reached: true });
  expect(stage.told()).toEqual([['watch-closed', 'p1']]);
  expect(stage.indexer().state.watermark_ms).toBe(1_001_000);
  expect(await follower?.nextDue()).toBeNull();
});
