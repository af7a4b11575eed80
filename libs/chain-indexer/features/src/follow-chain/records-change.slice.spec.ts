import type { Watch } from '@tender/chain-indexer-domain';
import { Unavailable } from '@tender/eventing';
import { ALLOCATED, indexerProcesses, pay, slotOf, until, type Faults } from '../testing/indexer-processes';
import type { IndexerStage } from '../testing/indexer-stage';
import { insertWatches } from '../watch-payments/watch.record';

const processes = indexerProcesses();
const waiting = (faults?: Faults) => processes.waiting(faults);
/** Longer than money that names no payment is held. */
const HELD_MS = 2_500;

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
  ])('%s: the indexer reads every block since again and publishes nothing twice', async (_, more) => {
    const stage = await waiting();
    await stage.createPayment({ id: 'p2', expires_at: 1000 });
    await stage.idle();
    processes.chain.land(990);
    await stage.idle();
    await keep(stage);
    processes.chain.land(998, pay(), pay('p1'));
    processes.chain.land(999, pay('nobody'));
    await until(async () => (await slotOf(stage)) === 13);
    processes.skip(HELD_MS);
    await stage.idle();
    await until(() => stage.published().length === 3);
    processes.chain.land(1001);
    await until(async () => (await slotOf(stage)) === 14);
    expect(await statesOf(stage)).toEqual(['paid', 'closed']);
    const before = stage.published();
    expect(before).toContainEqual(['watch-closed', 'p2']);

    await setBack(stage, more);
    await until(async () => (await slotOf(stage)) === 14);
    await until(async () => (await statesOf(stage)).join() === 'paid,closed');
    processes.skip(HELD_MS);
    await stage.idle();
    await until(() => stage.memory().held.size === 0);
    // The indexer also reads what lands from now on.
    processes.chain.land(1002, pay());
    await until(() => stage.published().length > before.length);
    await stage.idle();
    const [second] = stage.published().slice(before.length);
    expect(second).toEqual(['money-received', 'p1', 'duplicate', '100']);
    expect(stage.published().filter(([name]) => name === 'credit-allocated')).toHaveLength(1);
    expect(stage.published()).toHaveLength(before.length + 1);
    expect(stage.memory().book.pending).toBe(0);
  });

  it('the indexer finds that a commit holds whose answer was lost, and publishes nothing twice', async () => {
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
    processes.chain.land(999, pay());
    await until(async () => (await statesOf(stage))[0] === 'paid');
    processes.chain.land(999, pay());
    await until(() => stage.published().length === 2);
    await until(async () => (await slotOf(stage)) === 12);
    expect(lost).toBe(true);
    expect(stage.published()).toEqual([ALLOCATED, ['money-received', 'p1', 'duplicate', '100']]);
  });
});

describe('a payment that the former leader wrote to the records after the next one had read them', () => {
  const writtenByFormer = async (stage: IndexerStage) => {
    const heard = stage.memory().book.watch('ref-p1') as Watch;
    // Its merchant's addresses are unknown to this process as well.
    const bobs = { wallet: 'bob', account: 'bob/usdc-mint', merchant_id: 'm2' };
    const created_at = new Date(0).toISOString();
    const named = { ...heard, ...bobs, reference: 'ref-p9', payment_id: 'p9' };
    const unheard = { ...named, mode: 'test', created_at, correlation_id: 'c9', lookup_due: false } as const;
    await insertWatches(stage.runtime.readModels, [unheard]);
  };

  it('is known from the moment on at which the former one can write no more, also in blocks read before', async () => {
    const stage = await waiting();
    await writtenByFormer(stage);
    processes.chain.land(999, pay('p9', { to: 'bob' }));
    await until(async () => (await slotOf(stage)) === 11);
    expect(stage.published()).toEqual([]);
    expect(stage.memory().book.watch('ref-p9')).toBeUndefined();
    // As the bus does when the consumer of payments has taken its checkpoint over.
    stage.memory().takeOver();
    await until(() => stage.published().some(([, payment_id]) => payment_id === 'p9'));
    await stage.idle();
    expect(stage.published()).toEqual([['credit-allocated', 'p9', '100']]);
  });

  it('is looked up in blocks read before though the cursor is taken again in between', async () => {
    let armed = false;
    const stage = await waiting({
      readModels: (tables) => ({
        async query(text, values) {
          if (!armed || !text.includes('with moved')) return tables.query(text, values);
          armed = false;
          const moved = 'update chain_indexer.cursors set moved_wall_ms = moved_wall_ms + 1';
          await tables.query(`${moved} where mode = 'test'`);
          stage.memory().takeOver();
          return tables.query(text, values);
        },
      }),
    });
    await writtenByFormer(stage);
    processes.chain.land(998, pay('p9', { to: 'bob' }));
    await until(async () => (await slotOf(stage)) === 11);
    armed = true;
    processes.chain.land(999);
    await until(() => stage.published().length > 0);
    await stage.idle();
    expect(stage.published()).toEqual([['credit-allocated', 'p9', '100']]);
    // And it is not looked up again with the blocks that come.
    const { transactionsOf: asked } = processes.chain.requests;
    processes.chain.land(1000);
    await until(async () => (await slotOf(stage)) === 13);
    expect(processes.chain.requests['transactionsOf']).toBe(asked);
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
    stage.memory().takeOver();
    await until(() => away === 0 && stage.memory().book.watch('ref-p9') !== undefined);
    processes.chain.land(1001);
    await until(() => stage.published().length === 2);
    expect(stage.published().sort()).toEqual([['watch-closed', 'p1'], ['watch-closed', 'p9']]);
  });
});
