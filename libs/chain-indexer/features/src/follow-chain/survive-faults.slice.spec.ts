import { chainHealth, chainReached } from '@tender/contracts';
import { Unavailable } from '@tender/eventing';
import { IndexerProcesses, pay, slotOf, until, type Faults } from '../testing/indexer-processes';
import type { IndexerStage } from '../testing/indexer-stage';
import type { ScriptedChain } from '../testing/scripted-chain';
import { FollowChainWorker } from './follow-chain.worker';

const processes = new IndexerProcesses();
let chain: ScriptedChain;
beforeAll(() => processes.begin());
afterAll(() => processes.end());
beforeEach(async () => {
  chain = await processes.freshChain();
});
afterEach(() => processes.closeAll());
const process = (faults?: Faults) => processes.open(faults);
const end = () => processes.closeLast();
const waiting = (faults?: Faults) => processes.waiting(faults);

const ASKING = { mode: 'test', correlation_id: 'c-1' } as const;
const ALLOCATED = ['credit-allocated', 'p1', '100'];

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

/** From now on only an end gives a lease away: a process that is slow for a moment has not lost it. */
async function keepLeases({ runtime: { readModels } }: IndexerStage): Promise<void> {
  await readModels.query(`create function chain_indexer.keep_lease() returns trigger language plpgsql as
    $$ begin
      if new.lease_until > clock_timestamp() then
        new.lease_until = new.lease_until + interval '1 hour';
      end if;
      return new;
    end $$`);
  await readModels.query(`create trigger keep_lease before update on chain_indexer.cursors
    for each row execute function chain_indexer.keep_lease()`);
  const kept = `select from chain_indexer.cursors
    where mode = 'test' and lease_until > clock_timestamp() + interval '30 minutes'`;
  // Time at which it is renewed.
  processes.pass(1_000);
  await until(async () => (await readModels.query(kept)).length === 1);
}

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
  await keepLeases(one);
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
  chain.land(999, pay());
  chain.land(1001);
  const next = await process();
  await until(() => next.memory().state.trouble !== null);
  const { genesisHash: asked = 0 } = chain.requests;
  await until(() => (chain.requests['genesisHash'] ?? 0) > asked);
  expect(next.told()).toEqual([]);
  const health = await next.runtime.calls.ask(chainHealth, { mode: 'test' }, ASKING);
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
  expect(stage.memory().book.pending).toBe(10_001);
  expect(await perBlock()).toEqual(few);
  chain.land(1001);
  await stage.settle();
  expect(stage.told().filter(([name]) => name === 'watch-closed')).toHaveLength(10_001);
  expect(stage.memory().book.pending).toBe(0);
});

it('52: while the chain is down nothing expires and health is red; afterwards nothing is missing', async () => {
  const stage = await waiting();
  chain.down = true;
  const asked = looksAtChain();
  chain.land(999, pay());
  chain.land(2000);
  await stage.settle();
  expect(stage.told()).toEqual([]);
  expect((await stage.runtime.calls.ask(chainHealth, { mode: 'test' }, ASKING)).healthy).toBe(false);
  await until(() => asked.length >= 5);
  // It waits longer and longer: 50 ms, less a quarter by chance, then twice as long each time.
  const waits_ms = asked.slice(1).map((at, index) => at - (asked[index] as number));
  waits_ms.forEach((wait_ms, index) => expect(wait_ms).toBeGreaterThan(37 * 2 ** index - 2));
  chain.down = false;
  await until(() => stage.told().length > 0);
  await stage.settle();
  expect(stage.told()).toEqual([ALLOCATED]);
  expect((await stage.runtime.calls.ask(chainHealth, { mode: 'test' }, ASKING)).healthy).toBe(true);
});

/** When the chain was asked which one it is, with which every look begins. */
function looksAtChain(): readonly number[] {
  const at: number[] = [];
  const genesisHash = chain.genesisHash.bind(chain);
  jest.spyOn(chain, 'genesisHash').mockImplementation(() => {
    at.push(performance.now());
    return genesisHash();
  });
  return at;
}

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
  expect(next.memory().state.watermark_ms).toBe((1001 + 99 * 6) * 1000);
});

describe('hints of slots', () => {
  /** The follower of a chain that it would hardly ever look at by itself. */
  async function seldom(stage: IndexerStage): Promise<void> {
    chain.land(900);
    await stage.settle();
    await stage.stopFollowing();
    const worker = new FollowChainWorker(stage.runtime, stage.memory(), 3_600_000);
    await worker.start();
    processes.closers.push(() => worker.stop());
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
    stage.memory().book.recent.restart(Number.POSITIVE_INFINITY);
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
    await until(() => stage.memory().book.late.size === 1);
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
    expect(stage.memory().book.late.size).toBe(0);
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
    await stage.stopFollowing();
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
    await until(() => stage.memory().book.late.size === 3);
    chain.down = false;
    await until(() => stage.told().length === 3);
    await stage.settle();
    expect(stage.told().sort()).toEqual(ids.map((id) => ['credit-allocated', id, '100']));
    expect([chain.requests['transactionsOf'], chain.requests['block']]).toEqual([undefined, 3]);
    expect(stage.memory().book.late.size).toBe(0);
  });

  it('holds the close back while the look-up cannot be made', async () => {
    const stage = await process();
    await stage.settle();
    chain.land(999, pay());
    chain.land(1001);
    await stage.settle();
    stage.memory().book.recent.restart(Number.POSITIVE_INFINITY);
    chain.transactionsOf = () => Promise.reject(new Unavailable('the chain'));
    await stage.createPayment({ id: 'p1', expires_at: 1000 });
    await stage.settle();
    expect(stage.told()).toEqual([]);
    Reflect.deleteProperty(chain, 'transactionsOf');
    await until(() => stage.told().length > 0);
    expect(stage.told()).toEqual([ALLOCATED]);
  });
});

it('waits for a time and for what expired by then', async () => {
  const stage = await waiting();
  expect(stage.memory().state.watermark_ms).toBeNull();
  const { follower } = stage.network();
  expect(await follower?.nextDue()).toBe(1_001_000);
  const reached = stage.runtime.calls.ask(chainReached, { mode: 'test', block_time_ms: 1_000_500 }, ASKING);
  chain.land(1000);
  await stage.settle();
  expect(stage.told()).toEqual([]);
  chain.land(1001);
  expect(await reached).toEqual({ reached: true });
  expect(stage.told()).toEqual([['watch-closed', 'p1']]);
  expect(stage.memory().state.watermark_ms).toBe(1_001_000);
  expect(await follower?.nextDue()).toBeNull();
});
