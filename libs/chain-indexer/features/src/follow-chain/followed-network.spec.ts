import type { Chain } from '@tender/eventing';
import { Silence } from '../network-memory/silence';
import { FollowedNetwork, WrongNetwork } from './followed-network';

const CURSOR = { genesis_hash: 'one', slot: 100, watermark_ms: 1, moved_wall_ms: 1, epoch: 1 };
let wall = 0;
let newest = 100;
let asked = 0;
const clock = { now: () => wall, wall: () => wall };
const chain = {
  slot: async () => {
    asked += 1;
    return newest;
  },
  genesisHash: async () => 'one',
} as unknown as Chain;

let network: FollowedNetwork;
beforeEach(() => {
  [wall, newest, asked] = [1_000, 100, 0];
  const memory = { mode: 'test', silence: new Silence(clock) } as const;
  network = new FollowedNetwork({ chains: { test: chain, live: chain }, clock }, memory);
});

test('another genesis hash is refused, and what to do said; none is known before the first block', async () => {
  expect(await network.genesisHash(CURSOR)).toBe('one');
  expect(await network.genesisHash({ ...CURSOR, genesis_hash: null })).toBe('one');
  const other = network.genesisHash({ ...CURSOR, genesis_hash: 'other' });
  await expect(other).rejects.toThrow(/^the chain is one, not other: .*chain-restart --mode test"$/);
});

test('while nothing is added, the newest slot is asked for every ten seconds, and after each fault', async () => {
  await network.mustReach(CURSOR);
  wall += 9_999;
  await network.mustReach(CURSOR);
  expect(asked).toBe(1);
  wall += 1;
  await network.mustReach(CURSOR);
  expect(asked).toBe(2);
  network.forgetTip();
  await network.mustReach(CURSOR);
  expect(asked).toBe(3);
});

test('a node that is a moment late is no other ledger; one that stays behind is', async () => {
  newest = 99;
  await network.mustReach(CURSOR);
  wall += 1_999;
  await network.mustReach(CURSOR);
  newest = 100;
  await network.mustReach(CURSOR);
  [wall, newest] = [wall + 10_000, 5];
  await network.mustReach(CURSOR);
  wall += 2_000;
  await expect(network.mustReach(CURSOR)).rejects.toBeInstanceOf(WrongNetwork);
});
