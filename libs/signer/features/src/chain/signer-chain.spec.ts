import { base58 } from '@tender/transactions';
import { ChainNodes } from './chain-nodes';
import type { RpcNode } from './rpc-node';
import { SignerChain } from './signer-chain';

const GENESIS = base58(Buffer.alloc(32, 1));

const chain = (...answers: Readonly<Record<string, unknown>>[]) => {
  const asked: [string, readonly unknown[]][] = [];
  const nodes = answers.map(
    (own): RpcNode => ({
      name: 'a node',
      async call(method, params) {
        if (method === 'getGenesisHash') return GENESIS;
        asked.push([method, params]);
        if (own[method] === undefined) throw new Error(`${method} was not answered`);
        return own[method];
      },
    }),
  );
  const of = (mode: 'test' | 'live') =>
    new SignerChain({ mode, nodes: new ChainNodes(nodes, GENESIS) });
  return { asked, of };
};

test('a blockhash is dead 150 blocks after the height of the node that knows it', async () => {
  const told = { isBlockhashValid: { context: { slot: 70 }, value: true }, getBlockHeight: 50 };
  const { asked, of } = chain({}, told);
  expect(await of('test').blockhash('hash')).toEqual({
    ...{ valid: true, seen_slot: 70, dead_after_height: 200 },
  });
  // Not by a place that lags behind the one that knew the blockhash.
  expect(asked.at(-1)).toEqual([
    'getBlockHeight',
    [{ commitment: 'processed', minContextSlot: 70 }],
  ]);
});

test.each([
  ['no answer', {}],
  ['an answer without a value', { isBlockhashValid: { context: { slot: 1 } }, getBlockHeight: 1 }],
  ['no height', { isBlockhashValid: { context: { slot: 1 }, value: true } }],
])('%s is unknown, and no blockhash', async (_, told) => {
  await expect(chain(told).of('test').blockhash('hash')).rejects.toThrow(/a node: /);
});

test('a credit counts in test once confirmed, in live once it is final', async () => {
  const { asked, of } = chain({ getTransaction: null });
  for (const mode of ['test', 'live'] as const) {
    expect(await of(mode).incoming('signature')).toBeNull();
  }
  const commitments = asked.map(([, [, options]]) => options);
  expect(commitments).toMatchObject([{ commitment: 'confirmed' }, { commitment: 'finalized' }]);
});
