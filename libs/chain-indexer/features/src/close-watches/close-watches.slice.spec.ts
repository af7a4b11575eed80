import { chainReached } from '@tender/contracts';
import { ALLOCATED, ASKING, indexerProcesses, pay } from '../testing/indexer-processes';

const processes = indexerProcesses();
const process = () => processes.open();
const end = () => processes.closeLast();
const waiting = () => processes.waiting();

it('50: ten thousand pending payments cost as many requests as ten, and expire together', async () => {
  const stage = await waiting();
  const perBlock = async (): Promise<Record<string, number>> => {
    const before = { ...processes.chain.requests };
    for (let block = 0; block < 20; block += 1) processes.chain.land(500, pay('nobody', { to: 'mallory' }));
    await stage.idle();
    const { block = 0, transactionsOf = 0 } = processes.chain.requests;
    return { block: block - (before['block'] ?? 0), transactionsOf: transactionsOf - (before['transactionsOf'] ?? 0) };
  };
  const many = Array.from({ length: 10_000 }, (_, index) => ({ id: `many${index}`, expires_at: 1000 }));
  const few = await perBlock();
  await Promise.all(many.map((payment) => stage.createPayment(payment)));
  await stage.idle();
  expect(stage.memory().book.pending).toBe(10_001);
  expect(await perBlock()).toEqual(few);
  processes.chain.land(1001);
  await stage.idle();
  expect(stage.published().filter(([name]) => name === 'watch-closed')).toHaveLength(10_001);
  expect(stage.memory().book.pending).toBe(0);
});

it('29: an indexer that comes ten minutes late confirms what was paid in time', async () => {
  await waiting();
  await end();
  for (let block = 0; block < 100; block += 1) {
    processes.chain.land(900 + block, ...(block === 50 ? [pay()] : []));
  }
  for (let block = 0; block < 100; block += 1) processes.chain.land(1001 + block * 6);
  const next = await process();
  await next.idle();
  expect(next.published()).toEqual([ALLOCATED]);
  expect(next.memory().state.watermark_ms).toBe((1001 + 99 * 6) * 1000);
});

it('54: a chain whose confirmed is final gives one transition per payment', async () => {
  const stage = await waiting();
  processes.chain.land(999, pay());
  processes.chain.land(1001);
  await stage.idle();
  await stage.idle();
  expect(stage.published()).toEqual([ALLOCATED]);
});

it('waits for a time and for what expired by then', async () => {
  const stage = await waiting();
  expect(stage.memory().state.watermark_ms).toBeNull();
  const { follower } = stage.network();
  expect(await follower?.nextDue()).toBe(1_001_000);
  const reached = stage.runtime.calls.ask(chainReached, { mode: 'test', block_time_ms: 1_000_500 }, ASKING);
  processes.chain.land(1000);
  await stage.idle();
  expect(stage.published()).toEqual([]);
  processes.chain.land(1001);
  expect(await reached).toEqual({ reached: true });
  expect(stage.published()).toEqual([['watch-closed', 'p1']]);
  expect(stage.memory().state.watermark_ms).toBe(1_001_000);
  expect(await follower?.nextDue()).toBeNull();
});
