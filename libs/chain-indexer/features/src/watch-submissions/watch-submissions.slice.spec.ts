import { ALLOCATED, indexerProcesses, pay, until } from '../testing/indexer-processes';
import type { IndexerStage } from '../testing/indexer-stage';
import type { ScriptedChain, ScriptedTransfer } from '../testing/scripted-chain';

const processes = indexerProcesses();
let stage: IndexerStage;
let chain: ScriptedChain;
const P1 = { id: 'p1', expires_at: 1000 };

beforeEach(async () => {
  ({ chain } = processes);
  stage = await processes.waiting();
});

/** The first transaction of the chain is called `sig1`. */
const SIG1 = { transaction_signature: 'sig1' };
const failed = (reason: string) => ['submission-failed', 'p1', reason];
const received = (reason: string, amount: string) => ['money-received', 'p1', reason, amount];
const kept = () => stage.runtime.readModels.query('select signature from chain_indexer.submissions');

async function submitted(submission: object, ...transfers: ScriptedTransfer[]) {
  await stage.submit(P1, { ...SIG1, ...submission });
  await stage.idle();
  chain.land(999, ...transfers);
  await stage.idle();
  return stage.published();
}

it('what pays is a credit, and nothing else follows from its having been handed in', async () => {
  expect(await submitted({}, pay())).toEqual([ALLOCATED]);
  await until(async () => (await kept()).length === 0);
});

it('what fails on chain ends the payment, after its receipt', async () => {
  expect(await submitted({}, pay('p1', { failed: true }))).toEqual([
    received('failed_on_chain', '0'),
    failed('failed_on_chain'),
  ]);
  expect(stage.facts().at(-1)?.[1]).toEqual({
    ...{ payment_id: 'p1', merchant_id: 'm1', customer_wallet: 'customer' },
    ...{ transaction_signature: 'sig1', slot: await chain.slot(), reason: 'failed_on_chain' },
  });
});

it('what lands without the due effect ends the payment; it need not name it', async () => {
  expect(await submitted({}, pay('p1', { references: [], to: 'mallory' }))).toEqual([
    failed('without_effect'),
  ]);
});

it('25, 26: what a stranger made ends nothing, failed or short', async () => {
  const transfers = [pay('p1', { failed: true }), pay('p1', { amount: 1n })];
  expect(await submitted({ is_ours: false }, ...transfers)).toEqual([
    received('failed_on_chain', '0'),
    received('short', '1'),
  ]);
});

it('what is ours takes the place of what a stranger handed in for another payment, also after a restart', async () => {
  const other = { id: 'p2', expires_at: 1000 };
  await stage.createPayment(other);
  await stage.submit(other, { ...SIG1, is_ours: false });
  await stage.idle();
  await stage.submit(P1, SIG1);
  await stage.submit(other, { ...SIG1, is_ours: false });
  await stage.idle();
  await processes.closeLast();
  stage = await processes.open();
  chain.land(999, pay('p1', { references: [], failed: true }));
  await until(() => stage.published().length > 0);
  expect(stage.published()).toEqual([failed('failed_on_chain')]);
});

it('money of another transaction wins over what fails after it, and loses against what failed before', async () => {
  await stage.submit(P1, { transaction_signature: 'sig2' });
  await stage.idle();
  chain.land(999, pay(), pay('p1', { failed: true }));
  await stage.idle();
  expect(stage.published()).toEqual([ALLOCATED]);

  await stage.createPayment({ id: 'p2', expires_at: 1000 });
  await stage.submit({ id: 'p2', expires_at: 1000 }, { transaction_signature: 'sig3' });
  await stage.idle();
  chain.land(999, pay('p2', { failed: true }), pay('p2'));
  await stage.idle();
  expect(stage.published().slice(1)).toEqual([
    ['money-received', 'p2', 'failed_on_chain', '0'],
    ['submission-failed', 'p2', 'failed_on_chain'],
    ['money-received', 'p2', 'late', '100'],
  ]);
});

it('what was read before it was handed in is looked up once by its signature', async () => {
  chain.land(999, pay('p1', { references: [], failed: true }));
  await stage.idle();
  await stage.submit(P1, SIG1);
  await stage.idle();
  await until(() => stage.published().length > 0);
  expect(stage.published()).toEqual([failed('failed_on_chain')]);
  expect(chain.requests['transaction']).toBe(1);
});

it('is still awaited after a restart, and by the process that leads next', async () => {
  await stage.submit(P1, SIG1);
  await stage.idle();
  expect(await kept()).toEqual([{ signature: 'sig1' }]);
  await processes.closeLast();
  chain.land(999, pay('p1', { references: [], failed: true }));
  stage = await processes.open();
  await until(() => stage.published().length > 0);
  expect(stage.published()).toEqual([failed('failed_on_chain')]);
});

it('read again, it is decided once', async () => {
  await submitted({}, pay('p1', { failed: true }));
  stage.memory().book.submissions.add({
    ...{ signature: 'sig1', payment_id: 'p1', merchant_id: 'm1', customer_wallet: 'customer' },
    ...{ is_ours: true, expires_at_ms: 1_000_000, signed_transaction: null },
    ...{ last_valid_block_height: null, correlation_id: 'c-1' },
  });
  await stage.idle();
  expect(stage.published().filter(([name]) => name === 'submission-failed')).toHaveLength(1);
});

it('a payment that has ended has nothing left to await', async () => {
  await stage.submit(P1, SIG1);
  await stage.idle();
  await stage.endPayment(P1, 'payments.payment-expired.v1', 'expired');
  await stage.idle();
  expect(await kept()).toEqual([]);
  expect(stage.memory().book.submissions.has('sig1')).toBe(false);
});
