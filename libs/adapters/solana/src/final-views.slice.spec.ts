import { Unavailable } from '@tender/eventing';
import { ScriptedNodes, type Method, type ScriptedNode } from './testing/scripted-node';

const scripted = new ScriptedNodes();
afterEach(() => scripted.close());
const node = (index: number) => scripted.nodes[index] as ScriptedNode;

const account = {
  ...{ lamports: 5, owner: '11111111111111111111111111111111' },
  ...{ executable: false, data: ['', 'base64'] },
};
/** A node whose finalized part ends there; it knows the signature `a`, and the second address alone. */
const shows = (height: number, slot = height): Record<string, Method> => ({
  getEpochInfo: () => ({ blockHeight: height, absoluteSlot: height }),
  getSignatureStatuses: ([signatures]) => ({
    context: { slot },
    value: signatures.map((one: string) =>
      one === 'a' ? { slot: 7, err: null, confirmationStatus: 'finalized' } : null,
    ),
  }),
  getMultipleAccounts: ([addresses]) => ({
    context: { slot },
    value: addresses.map((_: string, index: number) => (index === 1 ? account : null)),
  }),
  getSlot: () => height,
});
const opened = async (count: number) => {
  const chain = await scripted.chain(count);
  for (const [index, one] of scripted.nodes.entries()) one.methods = shows(100 + index);
  return chain;
};

it('each node says by itself what it shows', async () => {
  const chain = await opened(2);
  const views = await chain.finalViews(['a', 'b'], ['one', 'other']);
  expect(views.map(({ finalized_block_height }) => finalized_block_height)).toEqual([100, 101]);
  for (const { statuses, accounts } of views) {
    expect(statuses).toEqual([{ slot: 7, commitment: 'finalized', error: null }, null]);
    expect(accounts).toMatchObject([null, { lamports: 5n, kind: 'wallet' }]);
  }
});

it('one of two nodes is not enough; two of three are, and the only one is', async () => {
  const two = await opened(2);
  node(1).methods['getEpochInfo'] = () => ({ status: 503 });
  await expect(two.finalViews([], [])).rejects.toBeInstanceOf(Unavailable);
  node(1).methods = shows(101);
  // It rests after its failure, which is not an answer either.
  await expect(two.finalViews([], [])).rejects.toBeInstanceOf(Unavailable);
  scripted.wall += 60_000;
  expect(await two.finalViews([], [])).toHaveLength(2);
  await scripted.close();
  const three = await opened(3);
  node(0).methods['getMultipleAccounts'] = () => ({ fault: { code: -32602, message: 'no' } });
  expect(await three.finalViews([], [])).toHaveLength(2);
  await scripted.close();
  expect(await (await opened(1)).finalViews([], [])).toHaveLength(1);
});

it('a node of another network says nothing', async () => {
  const chain = await opened(2);
  await chain.genesisHash();
  node(1).genesis = 'another ledger';
  await expect(chain.finalViews([], [])).rejects.toBeInstanceOf(Unavailable);
});

it('what is older than the height is no proof', async () => {
  const chain = await opened(1);
  node(0).methods = shows(100, 99);
  await expect(chain.finalViews(['b'], ['one'])).rejects.toBeInstanceOf(Unavailable);
});
