import { Unavailable } from '@tender/eventing';
import { ALLOCATED, indexerProcesses, pay, until } from '../testing/indexer-processes';

const processes = indexerProcesses();
const process = () => processes.open();
const end = () => processes.closeLast();

describe('money before the watch', () => {
  it('is found by one look-up when the payment is heard of after its block, beyond memory', async () => {
    const stage = await process();
    await stage.registerMerchant('m1', 'alice');
    await stage.idle();
    processes.chain.land(999, pay());
    processes.chain.land(1001);
    await stage.idle();
    expect(stage.published()).toEqual([]);
    stage.memory().book.recent.restart(Number.POSITIVE_INFINITY);
    await stage.createPayment({ id: 'p1', expires_at: 1000 });
    await stage.idle();
    expect(stage.published()).toEqual([ALLOCATED]);
    expect(processes.chain.requests['transactionsOf']).toBe(1);
    expect(await stage.runtime.readModels.query('select lookup_due from chain_indexer.watches')).toEqual([
      { lookup_due: false },
    ]);
  });

  it('is found though the merchant is unknown as well', async () => {
    const stage = await process();
    processes.chain.land(999, pay());
    await stage.idle();
    await stage.createPayment({ id: 'p1', expires_at: 1000 });
    await stage.idle();
    expect(stage.published()).toEqual([ALLOCATED]);
  });

  it('is found when it came before the first slot was known', async () => {
    processes.chain.down = true;
    const stage = await process();
    await stage.registerMerchant('m1', 'alice');
    await stage.createPayment({ id: 'p1', expires_at: 1000 });
    await until(() => stage.memory().book.lookUps.size === 1);
    processes.chain.land(999, pay());
    processes.chain.skipSlots(1_000);
    processes.chain.down = false;
    await until(() => stage.published().length > 0);
    expect(stage.published()).toEqual([ALLOCATED]);
    expect(processes.chain.requests['transactionsOf']).toBe(1);
  });

  it('is found when the very first blocks could not be read at once', async () => {
    processes.chain.unserved.add(11);
    const stage = await process();
    await stage.idle();
    await stage.registerMerchant('m1', 'alice');
    await stage.createPayment({ id: 'p1', expires_at: 1000 });
    processes.chain.land(999, pay());
    await stage.idle();
    expect(stage.memory().book.lookUps.size).toBe(0);
    await end();
    processes.chain.skipSlots(1_000);
    processes.chain.unserved.clear();
    const next = await process();
    await until(() => next.published().length > 0);
    expect(next.published()).toEqual([ALLOCATED]);
  });

  it('asks the chain nothing when recent blocks do not name the payment', async () => {
    const stage = await process();
    await stage.idle();
    processes.chain.land(999, pay('other'));
    await stage.idle();
    await stage.createPayment({ id: 'p1', expires_at: 2000 });
    await stage.idle();
    expect(processes.chain.requests['transactionsOf']).toBeUndefined();
    expect(processes.chain.requests['block']).toBe(1);
    expect(await stage.runtime.readModels.query('select lookup_due from chain_indexer.watches')).toEqual([
      { lookup_due: false },
    ]);
  });

  it('is looked up when a process that no longer reads the blocks hears of it', async () => {
    const stage = await process();
    await stage.idle();
    processes.chain.land(999, pay('other'));
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
    processes.chain.land(998, pay('other'));
    processes.chain.land(999, ...ids.map((id) => pay(id)));
    await stage.idle();
    expect(processes.chain.requests['block']).toBe(2);
    // One pass for all three: the chain rests until they have been heard of.
    processes.chain.down = true;
    for (const id of ids) await stage.createPayment({ id, expires_at: 2000 });
    await until(() => stage.memory().book.lookUps.size === 3);
    processes.chain.down = false;
    await until(() => stage.published().length === 3);
    await stage.idle();
    expect(stage.published().sort()).toEqual(ids.map((id) => ['credit-allocated', id, '100']));
    expect([processes.chain.requests['transactionsOf'], processes.chain.requests['block']]).toEqual([undefined, 3]);
    expect(stage.memory().book.lookUps.size).toBe(0);
  });

  it('is not looked up at a node that has not come as far as the blocks that were read', async () => {
    const stage = await process();
    await stage.idle();
    processes.chain.land(999, pay());
    processes.chain.land(1001);
    await stage.idle();
    stage.memory().book.recent.restart(Number.POSITIVE_INFINITY);
    processes.chain.looked_up_slot = 10;
    await stage.createPayment({ id: 'p1', expires_at: 1000 });
    await stage.idle();
    expect(stage.published()).toEqual([]);
    processes.chain.looked_up_slot = Number.POSITIVE_INFINITY;
    await until(() => stage.published().length > 0);
    expect(stage.published()).toEqual([ALLOCATED]);
  });

  it('holds the close back while the look-up cannot be made', async () => {
    const stage = await process();
    await stage.idle();
    processes.chain.land(999, pay());
    processes.chain.land(1001);
    await stage.idle();
    stage.memory().book.recent.restart(Number.POSITIVE_INFINITY);
    processes.chain.transactionsOf = () => Promise.reject(new Unavailable('the chain'));
    await stage.createPayment({ id: 'p1', expires_at: 1000 });
    await stage.idle();
    expect(stage.published()).toEqual([]);
    Reflect.deleteProperty(processes.chain, 'transactionsOf');
    await until(() => stage.published().length > 0);
    expect(stage.published()).toEqual([ALLOCATED]);
  });
});
