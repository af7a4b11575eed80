import { Unavailable } from '@tender/eventing';
import { ALLOCATED, IndexerProcesses, pay, until } from '../testing/indexer-processes';
import type { ScriptedChain } from '../testing/scripted-chain';

const processes = new IndexerProcesses();
let chain: ScriptedChain;
beforeAll(() => processes.begin());
afterAll(() => processes.end());
beforeEach(async () => {
  chain = await processes.freshChain();
});
afterEach(() => processes.closeAll());
const process = () => processes.open();
const end = () => processes.closeLast();

describe('money before the watch', () => {
  it('is found by one look-up when the payment is heard of after its block, beyond memory', async () => {
    const stage = await process();
    await stage.registerMerchant('m1', 'alice');
    await stage.idle();
    chain.land(999, pay());
    chain.land(1001);
    await stage.idle();
    expect(stage.published()).toEqual([]);
    stage.memory().book.recent.restart(Number.POSITIVE_INFINITY);
    await stage.createPayment({ id: 'p1', expires_at: 1000 });
    await stage.idle();
    expect(stage.published()).toEqual([ALLOCATED]);
    expect(chain.requests['transactionsOf']).toBe(1);
    expect(await stage.runtime.readModels.query('select lookup_due from chain_indexer.watches')).toEqual([
      { lookup_due: false },
    ]);
  });

  it('is found though the merchant is unknown as well', async () => {
    const stage = await process();
    chain.land(999, pay());
    await stage.idle();
    await stage.createPayment({ id: 'p1', expires_at: 1000 });
    await stage.idle();
    expect(stage.published()).toEqual([ALLOCATED]);
  });

  it('is found when it came before the first slot was known', async () => {
    chain.down = true;
    const stage = await process();
    await stage.registerMerchant('m1', 'alice');
    await stage.createPayment({ id: 'p1', expires_at: 1000 });
    await until(() => stage.memory().book.lookUps.size === 1);
    chain.land(999, pay());
    chain.skipSlots(1_000);
    chain.down = false;
    await until(() => stage.published().length > 0);
    expect(stage.published()).toEqual([ALLOCATED]);
    expect(chain.requests['transactionsOf']).toBe(1);
  });

  it('is found when the very first blocks could not be read at once', async () => {
    chain.unserved.add(11);
    const stage = await process();
    await stage.idle();
    await stage.registerMerchant('m1', 'alice');
    await stage.createPayment({ id: 'p1', expires_at: 1000 });
    chain.land(999, pay());
    await stage.idle();
    expect(stage.memory().book.lookUps.size).toBe(0);
    await end();
    chain.skipSlots(1_000);
    chain.unserved.clear();
    const next = await process();
    await until(() => next.published().length > 0);
    expect(next.published()).toEqual([ALLOCATED]);
  });

  it('asks the chain nothing when recent blocks do not name the payment', async () => {
    const stage = await process();
    await stage.idle();
    chain.land(999, pay('other'));
    await stage.idle();
    await stage.createPayment({ id: 'p1', expires_at: 2000 });
    await stage.idle();
    expect(chain.requests['transactionsOf']).toBeUndefined();
    expect(chain.requests['block']).toBe(1);
    expect(await stage.runtime.readModels.query('select lookup_due from chain_indexer.watches')).toEqual([
      { lookup_due: false },
    ]);
  });

  it('is looked up when a process that no longer reads the blocks hears of it', async () => {
    const stage = await process();
    await stage.idle();
    chain.land(999, pay('other'));
    await stage.idle();
    await stage.stopFollowing();
    await stage.createPayment({ id: 'p1', expires_at: 2000 });
    await stage.idle();
    expect(await stage.runtime.readModels.query('select lookup_due from chain_indexer.watches')).toEqual([
      { lookup_due: true },
    ]);
  });

  it('reads a remembered block once more for all the payments that it names', async () => {
    const stage = await process();
    await stage.idle();
    const ids = ['p1', 'p2', 'p3'];
    chain.land(998, pay('other'));
    chain.land(999, ...ids.map((id) => pay(id)));
    await stage.idle();
    expect(chain.requests['block']).toBe(2);
    // One pass for all three: the chain rests until they have been heard of.
    chain.down = true;
    for (const id of ids) await stage.createPayment({ id, expires_at: 2000 });
    await until(() => stage.memory().book.lookUps.size === 3);
    chain.down = false;
    await until(() => stage.published().length === 3);
    await stage.idle();
    expect(stage.published().sort()).toEqual(ids.map((id) => ['credit-allocated', id, '100']));
    expect([chain.requests['transactionsOf'], chain.requests['block']]).toEqual([undefined, 3]);
    expect(stage.memory().book.lookUps.size).toBe(0);
  });

  it('holds the close back while the look-up cannot be made', async () => {
    const stage = await process();
    await stage.idle();
    chain.land(999, pay());
    chain.land(1001);
    await stage.idle();
    stage.memory().book.recent.restart(Number.POSITIVE_INFINITY);
    chain.transactionsOf = () => Promise.reject(new Unavailable('the chain'));
    await stage.createPayment({ id: 'p1', expires_at: 1000 });
    await stage.idle();
    expect(stage.published()).toEqual([]);
    Reflect.deleteProperty(chain, 'transactionsOf');
    await until(() => stage.published().length > 0);
    expect(stage.published()).toEqual([ALLOCATED]);
  });
});
