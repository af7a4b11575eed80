import { chainHealth } from '@tender/contracts';
import { restartChain } from '../move-cursor/restart-chain';
import { ALLOCATED, ASKING, indexerProcesses, pay, slotOf, until } from '../testing/indexer-processes';
import type { IndexerStage } from '../testing/indexer-stage';

const processes = indexerProcesses();

const healthOf = (stage: IndexerStage) =>
  stage.runtime.calls.ask(chainHealth, { mode: 'test' }, ASKING);

/** It waits for `p1`, and has read a chain that was far ahead of the one that answers now. */
async function followedFar(): Promise<IndexerStage> {
  const stage = await processes.waiting();
  processes.chain.skipSlots(500);
  processes.chain.land(990);
  await until(async () => (await slotOf(stage)) === 511);
  return stage;
}

async function named(stage: IndexerStage, sentence: RegExp): Promise<void> {
  await until(async () => {
    processes.skip(1_000);
    return !(await healthOf(stage)).healthy;
  });
  expect((await healthOf(stage)).reason).toMatch(sentence);
}

describe('a ledger that ends before the cursor', () => {
  it('is named, with the command that goes on; then what it holds is found', async () => {
    const stage = await followedFar();
    processes.chain.renew();
    processes.chain.land(999, pay());
    await named(stage, /newest slot is 11, before 511, .*"tender ops chain-restart --mode test"$/);
    expect(await slotOf(stage)).toBe(511);
    expect(await restartChain(stage.runtime.readModels, 'test')).toBe(1);
    await until(() => stage.published().length > 0);
    expect(stage.published()).toEqual([ALLOCATED]);
    await until(async () => (await healthOf(stage)).healthy);
    await until(async () => (await slotOf(stage)) === 11);
  });

  it('is followed again by itself when it was only late', async () => {
    const stage = await followedFar();
    processes.chain.renew();
    await named(stage, /newest slot is 10, before 511/);
    processes.chain.skipSlots(501);
    processes.chain.land(999, pay());
    await until(() => stage.published().length > 0);
    await until(async () => (await healthOf(stage)).healthy);
  });
});

it('another chain is followed from its newest block once an operator says so', async () => {
  const stage = await followedFar();
  processes.chain.renew();
  processes.chain.genesis = 'genesis-2';
  await named(stage, /^the chain is genesis-2, not genesis-1: /);
  await restartChain(stage.runtime.readModels, 'test');
  await until(async () => (await healthOf(stage)).healthy);
  processes.chain.land(999, pay());
  await until(() => stage.published().length > 0);
  const kept = `select genesis_hash from chain_indexer.cursors where mode = 'test'`;
  expect(await stage.runtime.readModels.query(kept)).toEqual([{ genesis_hash: 'genesis-2' }]);
});

it('a mode whose chain was never followed has nothing to restart', async () => {
  processes.chain.down = true;
  const stage = await processes.open();
  expect(await restartChain(stage.runtime.readModels, 'test')).toBeNull();
});
