import { Unavailable } from '@tender/eventing';
import { ScriptedNodes, type Method, type ScriptedNode } from './testing/scripted-node';

const scripted = new ScriptedNodes();
afterEach(() => scripted.close());
const node = (index: number) => scripted.nodes[index] as ScriptedNode;

const lies: Record<string, Method> = {
  'no list': () => 'none',
  'slots that were read before': () => [90, 91],
  'slots in disorder': () => [103, 102],
  'one slot twice': () => [101, 101],
  'something that is no slot': () => [101.5],
  'more than was asked for': () => Array.from({ length: 65 }, (_, index) => 101 + index),
  'nothing, while it says that it is far ahead': () => [],
};

it.each(Object.keys(lies))('a list of slots with %s is not believed: the next node is asked', async (name) => {
  const chain = await scripted.chain(2);
  for (const at of [0, 1]) node(at).methods['getSlot'] = () => 200;
  node(0).methods['getBlocksWithLimit'] = lies[name] as Method;
  node(1).methods['getBlocksWithLimit'] = () => [101, 103];
  expect(await chain.slotsAfter(100, 64)).toEqual([101, 103]);
  node(1).methods['getBlocksWithLimit'] = lies[name] as Method;
  scripted.wall += 60_000;
  await expect(chain.slotsAfter(100, 64)).rejects.toBeInstanceOf(Unavailable);
});

it('an empty list of nodes that are not ahead is one', async () => {
  const chain = await scripted.chain(2);
  for (const at of [0, 1]) {
    node(at).methods['getSlot'] = () => 101;
    node(at).methods['getBlocksWithLimit'] = () => [];
  }
  expect(await chain.slotsAfter(100, 64)).toEqual([]);
});

it.each([['-1', -1], ['text', 'newest'], ['more than a number holds', 2 ** 60]])(
  'a newest slot of %s is not believed',
  async (_, slot) => {
    const chain = await scripted.chain(2);
    node(0).methods['getSlot'] = () => slot;
    node(1).methods['getSlot'] = () => 7;
    expect(await chain.slot()).toBe(7);
  },
);
