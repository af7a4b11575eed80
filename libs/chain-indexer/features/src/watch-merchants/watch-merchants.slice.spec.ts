import { indexerProcesses, pay, slotOf, until } from '../testing/indexer-processes';
import type { IndexerStage } from '../testing/indexer-stage';

const processes = indexerProcesses();
/** Longer than money that names no payment is held. */
const HELD_MS = 2_500;
const unnamed = (to: string) => pay('none', { to, references: [] });

/** What merchants hear of money without a payment, once the indexer holds none back any more. */
async function receipts(stage: IndexerStage): Promise<unknown[][]> {
  await stage.idle();
  processes.skip(HELD_MS);
  await until(async () => {
    await stage.idle();
    return (['test', 'live'] as const).every((mode) => stage.memory(mode).held.size === 0);
  });
  return stage.facts().map(([, { merchant_id, wallet, reason }]) => [merchant_id, wallet, reason]);
}
const RECEIPT = ['m1', 'carol', 'no_reference'];

const requested = () => processes.chain.requests['transactionsOf'] ?? 0;

/** An indexer that has read blocks for a while, and a merchant whose passkey wallet is still to be made. */
async function beforeTheWallet(): Promise<IndexerStage> {
  const stage = await processes.open();
  await stage.registerMerchant('m1', null);
  await stage.idle();
  processes.skip(20_000);
  processes.chain.land(900);
  await until(async () => (await slotOf(stage)) === 11);
  return stage;
}

it('a passkey wallet is watched in both modes from the moment on at which it is made', async () => {
  const stage = await beforeTheWallet();
  await stage.createWallet('m1', 'carol');
  await stage.idle();
  processes.chain.land(901, unnamed('carol'));
  processes.live.land(901, unnamed('carol'));
  expect(await receipts(stage)).toEqual([RECEIPT, RECEIPT]);
});

it('C8: money that came to a passkey wallet just before the indexer heard of it is found in the blocks of the last minute', async () => {
  const stage = await beforeTheWallet();
  processes.chain.land(901, unnamed('carol'));
  await until(async () => (await slotOf(stage)) === 12);
  expect(await receipts(stage)).toEqual([]);
  await stage.createWallet('m1', 'carol');
  expect(await receipts(stage)).toEqual([RECEIPT]);
  expect(requested()).toBe(0);
});

it('C8: and on the chain, where another process has read these blocks', async () => {
  const stage = await beforeTheWallet();
  processes.chain.land(901, unnamed('carol'));
  await until(async () => (await slotOf(stage)) === 12);
  await processes.closeLast();
  const next = await processes.open();
  await next.createWallet('m1', 'carol');
  expect(await receipts(next)).toEqual([RECEIPT]);
  // The wallet itself and its two token accounts.
  expect(requested()).toBe(3);
  await processes.closeLast();
  expect(await receipts(await processes.open())).toHaveLength(1);
  expect(requested()).toBe(3);
});

it('C8: a process that dies before it has looked leaves it to the next one', async () => {
  const stage = await beforeTheWallet();
  processes.chain.land(901, unnamed('carol'));
  await until(async () => (await slotOf(stage)) === 12);
  await stage.stopFollowing();
  await stage.createWallet('m1', 'carol');
  const due = 'select address from chain_indexer.wallet_look_ups';
  const { readModels } = stage.runtime;
  await until(async () => (await readModels.query(due)).length > 0);
  await processes.closeLast();
  const next = await processes.open();
  expect(await receipts(next)).toEqual([RECEIPT]);
  expect(await next.runtime.readModels.query(due)).toEqual([]);
});

it('what a wallet had before its merchant named it is no money of payments', async () => {
  const stage = await processes.open();
  processes.chain.land(900, unnamed('alice'));
  await until(async () => (await slotOf(stage)) === 11);
  await stage.registerMerchant('m1', 'alice');
  expect(await receipts(stage)).toEqual([]);
  processes.chain.land(901, unnamed('alice'));
  expect(await receipts(stage)).toEqual([['m1', 'alice', 'no_reference']]);
});
