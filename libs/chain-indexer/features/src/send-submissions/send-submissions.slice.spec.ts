import { indexerProcesses, pay } from '../testing/indexer-processes';
import type { IndexerStage } from '../testing/indexer-stage';
import type { ScriptedChain } from '../testing/scripted-chain';
import { SendSubmissionsWorker } from './send-submissions.worker';

const processes = indexerProcesses();
let stage: IndexerStage;
let chain: ScriptedChain;
/** The clock is the world's: this payment has its time still. */
const P1 = { id: 'p1', expires_at: 4_000_000_000 };

beforeEach(async () => {
  ({ chain } = processes);
  stage = await processes.waiting();
});

const SIGNED = { signed_transaction: 'AQID', last_valid_block_height: 150 };
const handIn = async (submission: object = {}) => {
  await stage.submit(P1, { transaction_signature: 'sig1', ...SIGNED, ...submission });
  await stage.idle();
};
/** One round of the sender, while the one that runs by itself may do the same. */
const round = async () => {
  chain.sent.length = 0;
  await new SendSubmissionsWorker(stage.runtime, stage.memory()).sendAll();
  return new Set(chain.sent);
};
const kept = () => stage.runtime.readModels.query('select signature from chain_indexer.submissions');

it('sends the same bytes again and again until they land', async () => {
  await handIn();
  expect(await round()).toEqual(new Set(['AQID']));
  expect(await round()).toEqual(new Set(['AQID']));
  chain.land(999, pay());
  await stage.idle();
  expect(await round()).toEqual(new Set());
  expect(await kept()).toEqual([]);
});

it('sends what was recorded by a process that died before it sent anything', async () => {
  await handIn();
  await processes.closeLast();
  stage = await processes.open();
  await stage.idle();
  expect(await round()).toEqual(new Set(['AQID']));
});

it('83: sends nothing that can land no more, and awaits it no longer', async () => {
  await handIn();
  chain.finalized_height = 150;
  expect(await round()).toEqual(new Set(['AQID']));
  chain.finalized_height = 151;
  expect(await round()).toEqual(new Set());
  expect(await kept()).toEqual([]);
});

it('what has landed is not taken for dropped, though its blockhash is dead', async () => {
  await handIn();
  await stage.stopFollowing();
  chain.land(999, pay());
  chain.finalized_height = 151;
  expect(await round()).toEqual(new Set());
  expect(await kept()).toEqual([{ signature: 'sig1' }]);
});

it('sends nothing where the wallet or the sponsor sends, and nothing of an ended payment', async () => {
  await handIn({ signed_transaction: null });
  expect(await round()).toEqual(new Set());
  expect(await kept()).toEqual([{ signature: 'sig1' }]);
});

it('sends nothing for a payment that has expired, though the chain is not seen up to that time', async () => {
  await stage.submit({ id: 'p1', expires_at: 1000 }, { transaction_signature: 'sig1', ...SIGNED });
  await stage.idle();
  expect(await round()).toEqual(new Set());
  expect(await kept()).toEqual([{ signature: 'sig1' }]);
});

it('bytes that the node does not take hold up no others', async () => {
  chain.rejected.add('AQID');
  await handIn();
  await stage.createPayment({ id: 'p2', expires_at: 1000 });
  await stage.submit(
    { ...P1, id: 'p2' },
    { transaction_signature: 'sig9', ...SIGNED, signed_transaction: 'BAUG' },
  );
  await stage.idle();
  expect(await round()).toEqual(new Set(['BAUG']));
});
