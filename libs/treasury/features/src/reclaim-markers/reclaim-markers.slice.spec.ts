import { markerOf } from '@tender/transactions';
import { ask, ended, once, PayoutHouse } from '../testing/payout-house';

const house = new PayoutHouse();
beforeAll(() => house.start());
afterAll(() => house.close());

const feesOf = async (address: string): Promise<bigint> => {
  const all = await house.chain.transactionsOf(address, 0);
  const own = all.filter(({ fee_payer }) => fee_payer === house.key.address);
  return own.reduce((sum, { fee }) => sum + fee, 0n);
};

test('the rent of markers comes back to the lamport, once nothing of the transfers can land any more', async () => {
  const receiver = house.refund().to;
  await house.give(receiver, 'USDC', 1n);
  const before = await house.lamports();
  const transfers = [1, 2, 3].map(() => house.refund({ to: receiver }));
  const stage = await house.open();
  await Promise.all(transfers.map((one) => ask(stage, one)));
  for (const one of transfers) expect((await ended(stage, one)).status).toBe('completed');
  const markers = transfers.map(({ transfer_id }) => markerOf(house.wallet, transfer_id).address);
  // While the blockhash lives the marker stays: it is what keeps another transaction from landing.
  const held = await house.chain.accounts(markers);
  expect(held.map((account) => account?.data.length)).toEqual([165, 165, 165]);
  await house.killBlockhashes();
  for (const one of transfers) {
    await once(stage, one, ({ is_marker_reclaimed }) => is_marker_reclaimed);
  }
  expect(await house.chain.accounts(markers)).toEqual([null, null, null]);
  expect(before - (await house.lamports())).toBe(await feesOf(house.key.address));
  const [row] = await stage.runtime.readModels.query<{ spent: string; open: string }>(
    `select sum(lamports)::text as spent, count(*) filter (where ended_wall_ms is null)::text as open
       from treasury.payout_fees where transfer_id = any($1)`,
    [transfers.map(({ transfer_id }) => transfer_id)],
  );
  expect(row?.open).toBe('0');
  // What is left in the budget of the day is fees alone.
  expect(BigInt(row?.spent ?? 0)).toBeLessThan(500_000n);
});
