import { base58, TOKEN_PROGRAM, transactionBytes } from '@tender/transactions';
import { outgoing } from '../testing/outgoing';
import { ChainNodes } from './chain-nodes';
import { outcomeAt, type SharedMessage } from './outcome';
import type { RpcNode } from './rpc-node';
import { SignerChain } from './signer-chain';

const GENESIS = base58(Buffer.alloc(32, 1));
const [message, another] = [outgoing(1n), outgoing(2n)];
const shared: SharedMessage = {
  ...{ marker: base58(Buffer.alloc(32, 2)), message, dead_after_height: 1_000, seen_slot: 5_000 },
};
const wireOf = (bytes: Uint8Array): string => Buffer.from(transactionBytes(bytes)).toString('base64');

type Answers = Readonly<Record<string, unknown>>;
/** A node that shows nothing of the message, and a chain on which it is dead. */
const DEAD: Answers = {
  getGenesisHash: GENESIS,
  getBlockHeight: 1_001,
  getSignaturesForAddress: [],
  getAccountInfo: { value: null },
  getFirstAvailableBlock: 5_000,
};
const landed = (err: unknown, bytes = message): Answers => ({
  ...{ ...DEAD, getBlockHeight: 900, getSignaturesForAddress: [{ signature: 's', err }] },
  getTransaction: { transaction: [wireOf(bytes), 'base64'] },
});
const node = (answers: Answers): RpcNode => ({
  name: 'a node',
  async call(method) {
    if (answers[method] === undefined) throw new Error(`${method} was not answered`);
    return answers[method];
  },
});
const without = (method: string): Answers => ({ ...DEAD, [method]: undefined });

test.each<[string, string, Answers]>([
  ['is dead: absent, and a finalized block is higher', 'dead', DEAD],
  ['is settled', 'settled', landed(null)],
  ['has failed', 'failed_on_chain', landed({ InstructionError: [1, 'Custom'] })],
  ['may land until a higher block is final', 'open', { ...DEAD, getBlockHeight: 1_000 }],
  ['is not what another transaction beside its marker was', 'open', landed(null, another)],
  ['is not dead where its marker is there', 'open', {
    ...{ ...DEAD, getAccountInfo: { value: { owner: TOKEN_PROGRAM } } },
  }],
  ['is dead although strangers sent lamports to its marker', 'dead', {
    ...{ ...DEAD, getAccountInfo: { value: { owner: '11111111111111111111111111111111' } } },
  }],
  ['is not dead by a node that forgot the blocks it could be in', 'open', {
    ...{ ...DEAD, getFirstAvailableBlock: 5_001 },
  }],
  ['is not dead where there is more beside its marker than was looked at', 'open', {
    ...landed(null, another),
    ...{ getBlockHeight: 1_001 },
    getSignaturesForAddress: Array.from({ length: 100 }, () => ({ signature: 's', err: null })),
  }],
])('a message %s', async (_, outcome, answers) => {
  expect(await outcomeAt(node(answers), shared)).toBe(outcome);
});

test.each(Object.keys(DEAD).filter((method) => method !== 'getGenesisHash'))(
  'without an answer to %s nothing is dead',
  async (method) => {
    await expect(outcomeAt(node(without(method)), shared)).rejects.toThrow('was not answered');
  },
);

describe('of several nodes', () => {
  const outcome = (...answers: Answers[]) =>
    new SignerChain({
      mode: 'test',
      nodes: new ChainNodes(answers.map(node), GENESIS),
    }).outcome(shared);

  test('one is enough to say that it landed', async () => {
    expect(await outcome(DEAD, landed(null))).toBe('settled');
    expect(await outcome(without('getBlockHeight'), landed(null))).toBe('settled');
  });

  test('all must say that it never will', async () => {
    expect(await outcome(DEAD, DEAD)).toBe('dead');
    expect(await outcome(DEAD, { ...DEAD, getBlockHeight: 999 })).toBe('open');
    await expect(outcome(DEAD, without('getAccountInfo'))).rejects.toThrow('was not answered');
    await expect(outcome()).rejects.toThrow('no node is named');
  });

  test('one of another network is not believed', async () => {
    const foreign = { ...landed(null), getGenesisHash: base58(Buffer.alloc(32, 9)) };
    await expect(outcome(foreign)).rejects.toThrow('it belongs to the network');
    await expect(outcome(DEAD, foreign)).rejects.toThrow('it belongs to the network');
  });
});
