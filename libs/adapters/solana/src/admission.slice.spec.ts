import { NetworkRefused, Unavailable } from '@tender/eventing';
import type { Admission } from './endpoints';
import { MINTS, ScriptedNodes, type ScriptedNode } from './testing/scripted-node';

const scripted = new ScriptedNodes();
afterEach(() => scripted.close());
const node = (index: number) => scripted.nodes[index] as ScriptedNode;

const SENTENCE = 'name another node';
/** Takes the network that scripted nodes name by default. */
const admit = (genesis_hash: string): Admission =>
  genesis_hash === 'genesis' ? { network: 'devnet' } : { refused: SENTENCE };

async function refusedChain() {
  const chain = await scripted.chain(1, { admit });
  node(0).genesis = 'another';
  node(0).methods['getSlot'] = () => 5;
  await expect(chain.slot()).rejects.toEqual(new NetworkRefused(SENTENCE));
  return chain;
}

it('a network that is not taken is never read, and says why to who asks', async () => {
  const chain = await refusedChain();
  await expect(chain.balances(MINTS.USDC)).rejects.toBeInstanceOf(Unavailable);
  await expect(chain.genesisHash()).rejects.toEqual(new NetworkRefused(SENTENCE));
  expect(() => chain.mints).toThrow(NetworkRefused);
  // What is asked of the settings alone goes on: the other mode needs it.
  expect(chain.tokenAccount(MINTS.USDC, 'USDC')).toMatch(/^\w{32,}$/);
  expect(Object.keys(node(0).asked)).toEqual(['getGenesisHash']);
});

it('it is read once its node belongs to the network that is taken', async () => {
  const chain = await refusedChain();
  node(0).genesis = 'genesis';
  scripted.wall += 60_000;
  expect(await chain.slot()).toBe(5);
  expect([chain.network, chain.mints]).toEqual(['devnet', MINTS]);
});

it('among several nodes only those of the network are read', async () => {
  const chain = await scripted.chain(2, { admit });
  node(0).genesis = 'another';
  for (const at of [0, 1]) node(at).methods['getSlot'] = () => 5 + at;
  scripted.wall += 60_000;
  expect(await chain.slot()).toBe(6);
  expect([chain.network, chain.mints]).toEqual(['devnet', MINTS]);
});

it('the network is known before the program asks the chain anything', async () => {
  const chain = await scripted.chain(1, { admit });
  while (chain.network !== 'devnet') await new Promise((resolve) => setTimeout(resolve, 5));
  expect(node(0).asked).toEqual({ getGenesisHash: 1 });
});
