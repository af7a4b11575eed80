import { chainHealth } from '@tender/contracts';
import { Unavailable } from '@tender/eventing';
import {
  ALLOCATED,
  ASKING,
  indexerProcesses,
  pay,
  until,
  type Faults,
} from '../testing/indexer-processes';
import type { IndexerStage } from '../testing/indexer-stage';

const processes = indexerProcesses();
const process = (faults?: Faults) => processes.open(faults);
const end = () => processes.closeLast();
const waiting = (faults?: Faults) => processes.waiting(faults);

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

/** From now on a process gives its lease away only when it ends: one that is slow for a moment keeps it. */
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
  // Far enough for a renewal.
  processes.skip(1_000);
  await until(async () => (await readModels.query(kept)).length === 1);
}

it.each([
  ['before the credit is decided', 'credit.', true],
  ['after the credit was decided', 'credit.', false],
  ['before the watch hears of it', 'watch.', true],
  ['after the watch heard of it', 'watch.', false],
] as const)('39, 40: a break %s ends in exactly one event', async (_, stream, before) => {
  const stage = await waiting({ store: once((name) => name.startsWith(stream), before) });
  processes.chain.land(999, pay(), pay());
  await until(() => stage.published().length === 2);
  await stage.idle();
  expect(stage.published()).toEqual([ALLOCATED, ['money-received', 'p1', 'duplicate', '100']]);
});

it('40: a process that ends before the cursor moved is followed by one that reads the blocks again', async () => {
  let broken = true;
  const stage = await waiting({
    readModels: (tables) => ({
      transaction: (work) => (broken ? Promise.reject(new Unavailable('postgres')) : tables.transaction(work)),
    }),
  });
  const [cursor] = await stage.runtime.readModels.query('select slot from chain_indexer.cursors');
  for (let block = 0; block < 5; block += 1) processes.chain.land(990 + block, pay());
  await until(() => stage.published().length === 5);
  expect((await stage.runtime.readModels.query('select slot from chain_indexer.cursors'))[0]).toEqual(cursor);
  await end();
  broken = false;
  const next = await process();
  await next.idle();
  expect(next.published()).toHaveLength(5);
  expect(next.published().filter(([name]) => name === 'credit-allocated')).toHaveLength(1);
  expect((await next.runtime.readModels.query<{ state: string }>('select state from chain_indexer.watches'))[0])
    .toEqual({ state: 'paid' });
});

it('42: of two indexers one works; the other goes on where it ended', async () => {
  const one = await waiting();
  await keepLeases(one);
  const two = await process();
  processes.chain.land(990, pay());
  await one.idle();
  expect(processes.chain.requests['block']).toBe(1);
  await two.idle();
  expect(processes.chain.requests['block']).toBe(1);
  await one.close();
  processes.chain.land(991, pay());
  await until(() => two.published().length === 2);
  expect(two.published()).toEqual([ALLOCATED, ['money-received', 'p1', 'duplicate', '100']]);
});

it('44: a block that is listed but not served holds the cursor until it is', async () => {
  const stage = await waiting();
  processes.chain.unserved.add(11);
  processes.chain.land(999, pay());
  processes.chain.land(1001);
  await stage.idle();
  expect(stage.published()).toEqual([]);
  processes.chain.unserved.clear();
  await until(() => stage.published().length > 0);
  expect(stage.published()).toEqual([ALLOCATED]);
});

it('48: another chain behind the same address is not followed, and health says so', async () => {
  const stage = await waiting();
  processes.chain.land(990);
  await stage.idle();
  await end();
  processes.chain.genesis = 'genesis-2';
  processes.chain.land(999, pay());
  processes.chain.land(1001);
  const next = await process();
  await until(() => next.memory().state.trouble !== null);
  const { genesisHash: asked = 0 } = processes.chain.requests;
  await until(() => (processes.chain.requests['genesisHash'] ?? 0) > asked);
  expect(next.published()).toEqual([]);
  const health = await next.runtime.calls.ask(chainHealth, { mode: 'test' }, ASKING);
  expect(health).toEqual({
    healthy: false,
    reason:
      'the chain is genesis-2, not genesis-1: name a node of that one again, or go on with this one by ' +
      '"tender ops chain-restart --mode test"',
  });
});

it('48: a mode whose network is not taken follows nothing and says why; the other mode goes on', async () => {
  processes.live.refused = 'name another node';
  const stage = await process();
  await until(() => stage.memory('live').state.trouble !== null);
  const live = { mode: 'live', correlation_id: 'c-1' } as const;
  expect(await stage.runtime.calls.ask(chainHealth, { mode: 'live' }, live)).toEqual({
    healthy: false,
    reason: 'name another node',
  });
  expect(Object.keys(processes.live.requests)).toEqual(['genesisHash']);
  await stage.registerMerchant('m1', 'alice');
  await stage.createPayment({ id: 'p1', expires_at: 1000 });
  processes.chain.land(999, pay());
  await until(() => stage.published().length > 0);
  expect(stage.published()).toEqual([ALLOCATED]);
});

it('49: what was dropped before the commitment showed it is never published', async () => {
  const stage = await waiting();
  processes.chain.land(999, pay());
  processes.chain.dropTip();
  processes.chain.skipSlots(3);
  processes.chain.land(999, pay('p1', { amount: 7n }));
  await stage.idle();
  expect(stage.published()).toEqual([['money-received', 'p1', 'short', '7']]);
});

it('52: while the chain is down nothing expires and health is red; afterwards nothing is missing', async () => {
  const stage = await waiting();
  processes.chain.down = true;
  const asked = passesBegun();
  processes.chain.land(999, pay());
  processes.chain.land(2000);
  await stage.idle();
  expect(stage.published()).toEqual([]);
  expect((await stage.runtime.calls.ask(chainHealth, { mode: 'test' }, ASKING)).healthy).toBe(false);
  await until(() => asked.length >= 5);
  // The indexer waits longer and longer: 50 ms, less a quarter by chance, then twice as long each time.
  const waits_ms = asked.slice(1).map((at, index) => at - (asked[index] as number));
  waits_ms.forEach((wait_ms, index) => expect(wait_ms).toBeGreaterThan(37 * 2 ** index - 2));
  processes.chain.down = false;
  await until(() => stage.published().length > 0);
  await stage.idle();
  expect(stage.published()).toEqual([ALLOCATED]);
  expect((await stage.runtime.calls.ask(chainHealth, { mode: 'test' }, ASKING)).healthy).toBe(true);
});

it('a chain that leaves a question unanswered for ten seconds is named until it answers', async () => {
  const stage = await waiting();
  const health = () => stage.runtime.calls.ask(chainHealth, { mode: 'test' }, ASKING);
  expect(await health()).toEqual({ healthy: true, reason: null });
  let answer: () => void = () => undefined;
  processes.chain.hanging = new Promise((resolve) => (answer = resolve));
  const { slotsAfter: asked = 0 } = processes.chain.requests;
  await until(() => (processes.chain.requests['slotsAfter'] ?? 0) > asked);
  processes.skip(10_000);
  expect(await health()).toEqual({ healthy: false, reason: 'the chain has not answered for 10 seconds' });
  processes.chain.hanging = null;
  answer();
  await until(async () => (await health()).healthy);
});

/** When passes began: each begins by asking the chain which one it is. */
function passesBegun(): readonly number[] {
  const at: number[] = [];
  const genesisHash = processes.chain.genesisHash.bind(processes.chain);
  jest.spyOn(processes.chain, 'genesisHash').mockImplementation(() => {
    at.push(performance.now());
    return genesisHash();
  });
  return at;
}
