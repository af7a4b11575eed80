import type { ContextStage, StageAnswer } from '@tender/runtime/testing';
import { installmentRoutes, THREE, WALLET } from '../testing/an-installment-plan';
import { billingStage } from '../testing/billing-stage';

const OTHER_WALLET = 'C1vEHzK6sTQxT8d4Qw5ZeRxqgqSuxfrZ3bPz3qUq8mJd';
let stage: ContextStage;
let routes: ReturnType<typeof installmentRoutes>;
/** Newest first. */
const ids: string[] = [];
beforeAll(async () => {
  stage = await billingStage();
  routes = installmentRoutes(stage);
  for (let count = 0; count < 51; count += 1) {
    const customer_wallet = count === 7 ? OTHER_WALLET : WALLET;
    const { json } = await routes.create({ ...THREE, customer_wallet });
    ids.unshift(json.id as string);
    stage.advance(1);
  }
  await routes.create(THREE, { merchant_id: 'm2' });
  await stage.settle();
});
afterAll(() => stage?.close());

const idsOf = ({ json }: StageAnswer) => json.map(({ id }: { id: string }) => id) as string[];

test('50 unless told, newest first, with the count of all', async () => {
  const first = await routes.list();
  expect([idsOf(first), first.headers['x-total-count']]).toEqual([ids.slice(0, 50), '51']);
  const page = await routes.list('?limit=2&offset=49');
  expect(idsOf(page)).toEqual(ids.slice(49));
});

test('of a wallet, of this merchant and mode alone', async () => {
  const mine = await routes.ofWallet(OTHER_WALLET);
  expect([idsOf(mine), mine.headers['x-total-count']]).toEqual([[ids[50 - 7]], '1']);
  expect((await routes.ofWallet(WALLET)).headers['x-total-count']).toBe('50');
  expect(idsOf(await routes.ofWallet(WALLET, '?limit=1'))).toEqual([ids[0]]);
  expect((await routes.ofWallet(OTHER_WALLET, '', { merchant_id: 'm2' })).json).toEqual([]);
  expect((await routes.ofWallet(OTHER_WALLET, '', { mode: 'live' })).json).toEqual([]);
});

test('what is no wallet is named', async () => {
  const { status, json } = await routes.ofWallet('not-a-wallet');
  expect([status, json.code]).toEqual([400, 'invalid_parameter']);
  expect(json.details.fields).toMatchObject([{ field: 'customer_wallet' }]);
});
