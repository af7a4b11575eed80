import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Unavailable } from '@tender/eventing';
import { startLocalnet } from '@tender/localnet';
import { control, TestLocalnet, openChain, type OpenChain } from './testing/test-localnet';

const local = new TestLocalnet();
let chain: OpenChain;
beforeAll(async () => {
  await local.start();
  ({ chain } = local);
});
afterAll(() => local.stop());

it('gives null for a skipped slot and leaves it out of the list', async () => {
  type Skip = { readonly skipped: readonly number[] };
  const { skipped } = await local.control<Skip>('localnet_skipSlot', { count: 3 });
  const [first, last] = [Math.min(...skipped), Math.max(...skipped)];
  expect(skipped).toEqual([first, first + 1, last]);
  while ((await chain.slot()) <= last) await sleep(20);
  const [before, after] = await chain.slotsAfter(first - 2, 2);
  expect(before).toBe(first - 1);
  expect(after).toBeGreaterThan(last);
  for (const slot of skipped) expect(await chain.block(slot, () => true)).toBeNull();
});

it('tells of slots again after its websockets were cut, and of final ones when they are', async () => {
  const final = openChain(local.network.rpc_url, local.network.mints, 'finalized');
  const told: number[] = [];
  const finalized: { slot: number; confirmed: number }[] = [];
  const ends = [
    chain.onSlot((slot) => told.push(slot)),
    final.onSlot((slot) => {
      const confirmed = told.at(-1);
      if (confirmed !== undefined) finalized.push({ slot, confirmed });
    }),
  ];
  while (finalized.length === 0) await sleep(20);
  const [{ slot, confirmed } = { slot: Infinity, confirmed: 0 }] = finalized;
  expect(await final.slot()).toBeGreaterThanOrEqual(slot);
  expect(slot).toBeLessThan(confirmed);
  await local.control('localnet_dropWebsockets', {});
  const cut_at = await chain.slot();
  while (told.filter((slot) => slot > cut_at).length < 2) await sleep(20);
  ends.forEach((end) => end());
  await final.close();
});

it('does not show at finalized what is only confirmed', async () => {
  // No slot begins by itself here.
  const folder_of_own = join(local.folder, 'standing');
  const standing = await startLocalnet({ dataDir: folder_of_own, slotMs: 3_600_000 });
  const { rpc_url, mints } = standing.networks.test;
  const [early, final] = [openChain(rpc_url, mints), openChain(rpc_url, mints, 'finalized')];
  await control(rpc_url, 'localnet_warpSlots', { slots: 40 });
  const [confirmed, finalized] = await Promise.all([early.slot(), final.slot()]);
  expect(finalized).toBeLessThan(confirmed);
  expect(await early.slotsAfter(finalized, 1)).toEqual([finalized + 1]);
  expect(await final.slotsAfter(finalized, 1)).toEqual([]);
  await expect(final.block(confirmed, () => true)).rejects.toBeInstanceOf(Unavailable);
  await control(rpc_url, 'localnet_warpSlots', { slots: 1 });
  expect(await final.slotsAfter(finalized, 2)).toEqual([finalized + 1]);
  await Promise.all([early.close(), final.close()]);
  await standing.close();
});
