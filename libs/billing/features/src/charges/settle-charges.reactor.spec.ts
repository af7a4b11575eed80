import { Unavailable } from '@tender/eventing';
import { CHARGED } from './all-charged';
import { SettleChargesReactor } from './settle-charges.reactor';

const AT = '2026-11-30T12:00:00.000Z';

/** What of billing is asked when that payment is confirmed, with every row behind the log. */
async function askedFor(metadata: object, payment_link_id: string | null = 'link-1') {
  let asked = 0;
  const away = async (): Promise<never> => {
    asked += 1;
    throw new Unavailable('billing.charges', { reason: 'its rows are behind the log' });
  };
  const runtime = { readModels: { query: away }, eventStore: { newest: away } };
  const payment = { id: 'pay_test_1', merchant_id: 'm1', payment_link_id, confirmed_at: AT, metadata };
  const batch = [{ mode: 'test', data: { payment } }];
  const heard = new SettleChargesReactor(runtime as never).react(batch as never);
  const failure: unknown = await heard.then(() => null, (error: unknown) => error);
  return { asked, waits: failure instanceof Unavailable };
}

test.each([
  ['by a link that names nothing of billing', {}, 'link-1'],
  ['by a link of a shop that names its order', { order_id: '7', customer_subscription: 'x' }, 'link-1'],
  ['by no link', { invoice_id: 'inv_test_1' }, null],
])('a payment %s is settled without a question', async (_, metadata, link) => {
  expect(await askedFor(metadata, link)).toEqual({ asked: 0, waits: false });
});

test.each(CHARGED.map(({ noun, named_by }) => [noun, named_by]))(
  'a payment that names one %s waits until it is known whose link it is',
  async (_, name) => {
    expect(await askedFor({ [name as string]: 'one of them' })).toEqual({ asked: 1, waits: true });
  },
);
