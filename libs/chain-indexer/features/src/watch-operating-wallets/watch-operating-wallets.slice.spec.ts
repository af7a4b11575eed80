import type { Bus } from '@tender/eventing';
import { indexerProcesses, pay, slotOf, until } from '../testing/indexer-processes';
import type { IndexerStage } from '../testing/indexer-stage';
import type { ScriptedTransfer } from '../testing/scripted-chain';
import { WATCH_OPERATING_WALLETS } from './watch-operating-wallets.consumer';

const processes = indexerProcesses();
/** Longer than money that names no payment is held. */
const HELD_MS = 2_500;
const unnamed = (to: string, more: Partial<ScriptedTransfer> = {}) =>
  pay('none', { to, references: [], ...more });

/** What merchants hear, once the indexer holds nothing back any more. */
async function receipts(stage: IndexerStage): Promise<unknown[][]> {
  await stage.idle();
  processes.skip(HELD_MS);
  await until(async () => {
    await stage.idle();
    return (['test', 'live'] as const).every((mode) => stage.memory(mode).held.size === 0);
  });
  return stage.facts().map(([, told]) => {
    const { merchant_id, wallet, amount, shared_wallet } = told;
    return [merchant_id, wallet, amount, shared_wallet];
  });
}

describe('money that comes to an operating wallet', () => {
  it('is reported to its merchant with the wallet that holds it, in the mode of the wallet alone', async () => {
    const stage = await processes.open();
    await stage.registerMerchant('m1', 'alice');
    await stage.openOperatingWallet('m1', 'house');
    await stage.idle();
    processes.chain.land(900, unnamed('house', { amount: 7n, mint: 'SOL' }), unnamed('alice'));
    processes.live.land(900, unnamed('house'));
    expect(await receipts(stage)).toEqual([
      ['m1', 'house', '7', false],
      ['m1', 'alice', '100', false],
    ]);
  });

  it('is its merchant’s alone, whatever wallet another one has named', async () => {
    const stage = await processes.open();
    await stage.registerMerchant('mallory', 'house');
    await stage.openOperatingWallet('m1', 'house');
    await stage.idle();
    processes.chain.land(900, unnamed('house'));
    expect(await receipts(stage)).toEqual([['m1', 'house', '100', false]]);
  });

  it('goes on to be seen after a restart', async () => {
    const stage = await processes.open();
    await stage.openOperatingWallet('m1', 'house');
    await stage.idle();
    await processes.closeLast();
    const next = await processes.open();
    await until(() => next.memory().book.wallets.has('house'));
    processes.chain.land(900, unnamed('house'));
    expect(await receipts(next)).toEqual([['m1', 'house', '100', false]]);
  });

  it('C8: is found when it came before the indexer heard of the wallet', async () => {
    const stage = await processes.open();
    processes.chain.land(900, unnamed('house'));
    await until(async () => (await slotOf(stage)) === 11);
    await stage.openOperatingWallet('m1', 'house');
    expect(await receipts(stage)).toEqual([['m1', 'house', '100', false]]);
  });

  it('is seen from now on at a wallet that was opened under a release that did not watch it, without its history', async () => {
    const former = await processes.open();
    processes.chain.land(900, unnamed('house'));
    await until(async () => (await slotOf(former)) === 11);
    await processes.closeLast();
    await former.openOperatingWallet('m1', 'house');
    processes.skip(25 * 60 * 60 * 1_000);
    const stage = await processes.open();
    await stage.idle();
    processes.chain.land(901, unnamed('house', { amount: 5n }));
    expect(await receipts(stage)).toEqual([['m1', 'house', '5', false]]);
    expect(processes.chain.requests['transactionsOf']).toBeUndefined();
  });
});

describe('what leaves an operating wallet for its merchant', () => {
  const settlement = unnamed('alice', { from: 'house', signature: 'settlement-1' });

  it('is no money without a payment, beside money of others that is', async () => {
    const stage = await processes.open();
    await stage.registerMerchant('m1', 'alice');
    await stage.signTransfer('m1', 'settlement-1');
    await stage.idle();
    processes.chain.land(900, settlement, unnamed('alice', { amount: 5n }));
    expect(await receipts(stage)).toEqual([['m1', 'alice', '5', false]]);
  });

  it('is reported to a merchant who gets it from another merchant', async () => {
    const stage = await processes.open();
    await stage.registerMerchant('m2', 'alice');
    await stage.signTransfer('m1', 'settlement-1');
    await stage.idle();
    processes.chain.land(900, settlement);
    expect(await receipts(stage)).toEqual([['m2', 'alice', '100', false]]);
  });

  /** A process that hears nothing of treasury until it is released, and two payments of which one is a settlement. */
  async function withoutTreasury(prepare: (stage: IndexerStage) => Promise<void>) {
    let release = (): void => undefined;
    const heard = new Promise<void>((resolve) => (release = resolve));
    const behind = (bus: Bus): Bus => ({
      consume: (subscription) =>
        bus.consume(
          subscription.consumer === WATCH_OPERATING_WALLETS
            ? {
                ...subscription,
                async handler(batch, tx) {
                  await heard;
                  await subscription.handler(batch, tx);
                },
              }
            : subscription,
        ),
    });
    const former = await processes.open();
    await former.registerMerchant('m1', 'alice');
    await prepare(former);
    await former.idle();
    await processes.closeLast();
    const stage = await processes.open({ bus: behind });
    await stage.signTransfer('m1', 'settlement-1');
    await until(() => stage.memory().book.wallets.has('alice'));
    processes.chain.land(900, settlement, unnamed('alice', { amount: 5n }));
    await until(() => stage.memory().held.size === 2);
    let slot = 11;
    const after = async (ms: number): Promise<number> => {
      processes.skip(ms);
      slot += 1;
      processes.chain.land(900 + slot);
      await until(async () => (await slotOf(stage)) === slot);
      return stage.memory().held.size;
    };
    return { stage, release, after };
  }

  it('waits, where the chain is faster than the bus, until it is heard that it was sent', async () => {
    const { stage, release, after } = await withoutTreasury(async () => undefined);
    expect(await after(HELD_MS)).toBe(2);
    release();
    expect(await receipts(stage)).toEqual([['m1', 'alice', '5', false]]);
  });

  it('C11: waits for as long as treasury says nothing, and money of others no longer than a minute', async () => {
    const { stage, release, after } = await withoutTreasury((former) => former.openOperatingWallet('m1', 'house'));
    expect(await after(HELD_MS)).toBe(2);
    expect(await after(60_000)).toBe(1);
    expect(stage.facts().map(([, { amount }]) => amount)).toEqual(['5']);
    expect(await after(3_600_000)).toBe(1);
    release();
    expect(await receipts(stage)).toEqual([['m1', 'alice', '5', false]]);
  });

  it('stays what it is when the blocks are read again', async () => {
    const stage = await processes.open();
    await stage.registerMerchant('m1', 'alice');
    await stage.signTransfer('m1', 'settlement-1');
    await stage.idle();
    const { readModels } = stage.runtime;
    await until(async () => (await slotOf(stage)) !== undefined);
    await readModels.query('create table was as table chain_indexer.cursors');
    processes.chain.land(900, settlement);
    expect(await receipts(stage)).toEqual([]);
    await readModels.transaction(async (tx) => {
      await tx.query('delete from chain_indexer.cursors');
      await tx.query('insert into chain_indexer.cursors select * from was');
    });
    await until(async () => (await slotOf(stage)) === 11);
    expect(await receipts(stage)).toEqual([]);
  });
});
