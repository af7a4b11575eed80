import type { Bus } from '@tender/eventing';
import { ALLOCATED, indexerProcesses, until } from '../testing/indexer-processes';
import type { IndexerStage } from '../testing/indexer-stage';
import { MINTS, type ScriptedTransfer } from '../testing/scripted-chain';
import { WATCH_OPERATING_WALLETS } from '../watch-operating-wallets/watch-operating-wallets.consumer';
import { WATCH_PAYMENTS } from '../watch-payments/watch-payments.consumer';

const processes = indexerProcesses();
let stage: IndexerStage;

beforeEach(async () => {
  stage = await processes.open();
  await stage.registerMerchant('m1', 'alice');
});

const pay = (more: Partial<ScriptedTransfer> = {}): ScriptedTransfer => ({
  to: 'alice',
  amount: 100n,
  references: ['ref-p1'],
  ...more,
});

/** One payment of 100 USDC units to alice until second 1000, and what happens in one block. */
async function after(block_time: number, ...transfers: ScriptedTransfer[]): Promise<unknown[][]> {
  await stage.createPayment({ id: 'p1', expires_at: 1000 });
  await stage.idle();
  processes.chain.land(block_time, ...transfers);
  await stage.idle();
  return stage.published();
}

const received = (reason: string, amount: string) => ['money-received', 'p1', reason, amount];

it('15: the exact amount with the reference, once, with signature, payer and time', async () => {
  expect(await after(999, pay())).toEqual([ALLOCATED]);
  expect(stage.facts()[0]?.[1]).toEqual({
    payment_id: 'p1',
    merchant_id: 'm1',
    token: 'USDC',
    token_mint: MINTS.USDC,
    amount: '100',
    transaction_signature: 'sig1',
    slot: expect.any(Number) as number,
    from_wallet: 'customer',
    block_time: '1970-01-01T00:16:39.000Z',
  });
});

it.each([
  ['15: on the last second', 1000, pay(), [ALLOCATED]],
  ['16: one unit short', 999, pay({ amount: 99n }), [received('short', '99')]],
  ['17: too much', 999, pay({ amount: 130n }), [['credit-allocated', 'p1', '130']]],
  ['18: another mint', 999, pay({ mint: MINTS.USDT }), [received('wrong_mint', '100')]],
  ['18: a fake mint', 999, pay({ mint: 'fake-usdc' }), [received('wrong_mint', '100')]],
  ['18: a Token-2022 copy', 999, pay({ token_program: 'Token-2022' }), [received('wrong_mint', '100')]],
  ['19: another recipient', 999, pay({ to: 'mallory' }), [received('wrong_account', '0')]],
  ['20: a second account of the recipient', 999, pay({ to_account: 'alice-2' }), [received('wrong_account', '100')]],
  ['23: pay and take back', 999, pay({ also: [{ owner: 'alice', delta: -100n }, { owner: 'customer', delta: 100n }] }), []],
  ['23: to oneself', 999, pay({ from: 'alice' }), []],
  ['25: a failed transaction', 999, pay({ failed: true }), [received('failed_on_chain', '0')]],
  ['26: dust of a stranger', 999, pay({ amount: 1n, from: 'mallory' }), [received('short', '1')]],
  ['34: rent of a closed account', 999, pay({ mint: 'SOL', rent: true }), []],
] as const)('%s', async (_, time, transfer, published) => {
  expect(await after(time, transfer)).toEqual(published);
});

it('money that is seen before the row of its watch is committed carries the id of the request, too', async () => {
  await stage.idle();
  await stage.runtime.readModels.transaction(async (tx) => {
    // Who reads the rows goes on; who writes one waits.
    await tx.query('lock table chain_indexer.watches in share mode');
    await stage.createPayment({ id: 'p1', expires_at: 1000 });
    await until(() => stage.memory().book.pending === 1);
    processes.chain.land(999, pay());
    await until(() => stage.published().length > 0);
  });
  await stage.idle();
  expect(new Set(stage.correlations())).toEqual(new Set(['correlation-of-p1']));
});

it('21, 22: two references on one transfer confirm at most one payment', async () => {
  await stage.createPayment({ id: 'p2', expires_at: 1000 });
  const references = ['ref-p1', 'ref-p2'];
  expect(await after(999, pay({ references, amount: 200n }))).toEqual([['credit-allocated', 'p1', '200']]);
});

it('26, 27: dust does not end a payment, a second transfer is a duplicate, also in one block', async () => {
  const published = await after(999, pay({ amount: 1n }), pay(), pay(), pay());
  expect(published).toEqual([
    received('short', '1'),
    ALLOCATED,
    received('duplicate', '100'),
    received('duplicate', '100'),
  ]);
});

it('27: a second transfer in a later block is a duplicate', async () => {
  await after(990, pay());
  processes.chain.land(1500, pay());
  await stage.idle();
  expect(stage.published()).toEqual([ALLOCATED, received('duplicate', '100')]);
});

it('30: after the expiry the watch is closed first and the money is late', async () => {
  await after(1001);
  expect(stage.published()).toEqual([['watch-closed', 'p1']]);
  processes.chain.land(1002, pay());
  await stage.idle();
  expect(stage.published()).toEqual([['watch-closed', 'p1'], received('late', '100')]);
});

it('30: late money in the block that closes the watch', async () => {
  expect(await after(1001, pay())).toEqual([received('late', '100'), ['watch-closed', 'p1']]);
});

it('31: the indexer reports money without a reference once to each owner of the wallet', async () => {
  await stage.registerMerchant('m2', 'alice');
  await after(999, pay({ references: [] }));
  const receipts = () => stage.facts().filter(([, { reason }]) => reason === 'no_reference');
  // Longer than the indexer holds it.
  processes.skip(2_500);
  await until(() => receipts().length === 2);
  await stage.idle();
  expect(receipts().map(([, data]) => data)).toEqual([
    expect.objectContaining({ merchant_id: 'm1', payment_id: null, amount: '100', shared_wallet: true }),
    expect.objectContaining({ merchant_id: 'm2', payment_id: null, amount: '100', shared_wallet: true }),
  ]);
  expect(stage.published()).toHaveLength(2);
});

it('31: the indexer asks a bus that tells of no progress by itself how far it is, for this money alone', async () => {
  await processes.closeLast();
  const tellings: string[] = [];
  const silent = (bus: Bus): Bus => ({
    consume: (subscription) =>
      bus.consume({
        ...subscription,
        onProgress(mode, wall_ms) {
          const awaited_ms = subscription.awaits?.(mode) ?? null;
          if (awaited_ms === null || wall_ms < awaited_ms) return;
          tellings.push(subscription.consumer);
          subscription.onProgress?.(mode, wall_ms);
        },
      }),
  });
  stage = await processes.open({ bus: silent });
  await after(999, pay());
  expect(tellings).toEqual([]);
  processes.chain.land(999, pay({ references: [] }));
  processes.skip(2_500);
  await until(() => stage.facts().some(([, { reason }]) => reason === 'no_reference'));
  expect(tellings.sort()).toEqual([WATCH_OPERATING_WALLETS, WATCH_PAYMENTS]);
});

it('31: a token that anyone can make is no money when it names nothing', async () => {
  await after(999, pay({ references: [], mint: 'spam' }));
  expect(await stage.runtime.readModels.query('select * from chain_indexer.held_credits')).toEqual([]);
});

it('33: SOL, from the wallet that pays the fee', async () => {
  await stage.createPayment({ id: 'sol', token: 'SOL', due: 7n, expires_at: 1000 });
  await stage.idle();
  processes.chain.land(900, { to: 'alice', amount: 7n, mint: 'SOL', references: ['ref-sol'] });
  await stage.idle();
  expect(stage.published()).toEqual([['credit-allocated', 'sol', '7']]);
});

it('37: money on the other network is never matched', async () => {
  await stage.createPayment({ id: 'live', mode: 'live', expires_at: 1000 });
  await after(999, pay({ references: ['ref-live'] }));
  expect(stage.published()).toEqual([]);
});

it('keeps the correlation of the request that made the payment', async () => {
  await after(999, pay());
  const [event] = await stage.runtime.eventStore.load('watch.test-p1');
  expect(event?.metadata.correlation_id).toBe('correlation-of-p1');
});
