import {
  ALLOCATED,
  indexerProcesses,
  pay,
  slotOf,
  until,
} from '../testing/indexer-processes';
import type { IndexerStage } from '../testing/indexer-stage';
import { FollowChainWorker } from './follow-chain.worker';

const processes = indexerProcesses();

describe('hints of slots', () => {
  /** The worker follows the chain on, and polls it so rarely that only hints begin a pass. */
  async function followByHints(stage: IndexerStage): Promise<void> {
    processes.chain.land(900);
    await stage.idle();
    await stage.stopFollowing();
    const worker = new FollowChainWorker(stage.runtime, stage.memory(), 3_600_000);
    await worker.start();
    processes.closers.push(() => worker.stop());
    await worker.idle();
  }

  it('wake the follower, which needs one request for the next block', async () => {
    const stage = await processes.waiting();
    await followByHints(stage);
    const before = { ...processes.chain.requests };
    processes.chain.land(999, pay());
    processes.chain.hint();
    await until(() => stage.published().length > 0);
    expect(stage.published()).toEqual([ALLOCATED]);
    expect(processes.chain.requests['slotsAfter']).toBe(before['slotsAfter']);
    expect(processes.chain.requests['block']).toBe(2);
  });

  it('41: decide nothing: what they leave out is read, and what they make up is not', async () => {
    const stage = await processes.waiting();
    await followByHints(stage);
    processes.chain.hint(12);
    await until(() => processes.chain.requests['block'] === 2);
    processes.chain.land(998, pay());
    processes.chain.hint(1_000_000);
    await until(() => stage.published().length === 1);
    processes.chain.skipSlots(2);
    processes.chain.land(999, pay());
    processes.chain.unserved.add(13);
    processes.chain.hint(13);
    await until(() => stage.published().length === 2);
    expect(stage.published()).toEqual([ALLOCATED, ['money-received', 'p1', 'duplicate', '100']]);
    await until(async () => (await slotOf(stage)) === 15);
  });
});
