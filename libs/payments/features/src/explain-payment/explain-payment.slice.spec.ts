import { lookedFor, type LookedFor } from '@tender/contracts';
import { stepOf, Unavailable, type StreamName } from '@tender/eventing';
import type { ContextStage } from '@tender/runtime/testing';
import { paymentsStage } from '../testing/payments-stage';
import { merged } from './explain';

const MERCHANT = { merchant_id: 'm1', merchant_name: 'Shop', wallet: 'W1', actor: 'key:k1' };
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- answers are what is under test
type Payment = any;

let stage: ContextStage;
/** What the chain indexer says. */
let looked: LookedFor | null;
let is_silent = false;
const asked: object[] = [];

beforeAll(async () => {
  stage = await paymentsStage();
  stage.runtime.calls.answer(lookedFor, async (input) => {
    asked.push(input);
    if (is_silent) throw new Unavailable('the chain indexer');
    return looked;
  });
});
beforeEach(() => {
  looked = { accounts: ['A1', 'W1'], up_to: '2099-01-01T00:00:00.000Z', look_up_due: false };
  is_silent = false;
  asked.length = 0;
});
afterAll(() => stage?.close());

const caller = (changes: object = {}) => stage.caller({ ...MERCHANT, ...changes });
const get = (path: string, changes: object = {}) =>
  stage.send('GET', `/api/v1/payments/${path}`, caller(changes));
const explained = async ({ id }: Payment) => (await get(`${id}/explain`)).json;
const newPayment = async (): Promise<Payment> =>
  (await stage.send('POST', '/api/v1/payments', caller(), { amount: 10 })).json;
async function credit(payment: Payment, changes: object = {}): Promise<void> {
  await stage.say(`watch.test-${payment.id}` as StreamName, 'chain-indexer.credit-allocated.v1', {
    ...{ payment_id: payment.id, merchant_id: 'm1', token: 'USDC', token_mint: 'MintUsdc' },
    ...{ amount: '10000000', transaction_signature: 'S1', slot: 41, from_wallet: 'C1' },
    ...{ block_time: payment.created_at, ...changes },
  });
  await stage.settle();
}
const close = async (payment: Payment) => {
  const watermark = new Date(Date.parse(payment.expires_at) + 400).toISOString();
  await stage.say(`watch.test-${payment.id}` as StreamName, 'chain-indexer.watch-closed.v1', {
    ...{ payment_id: payment.id, merchant_id: 'm1', watermark },
  });
  await stage.settle();
};
const verdicts = ({ steps }: Payment) => steps.map(({ verdict }: { verdict: string }) => verdict);

test('a payment that was paid tells what happened, with signature, slot and verdict', async () => {
  const payment = await newPayment();
  await credit(payment);
  const story = await explained(payment);
  expect(story).toMatchObject({ payment_id: payment.id, status: 'confirmed', looked_for: null });
  expect(story.steps).toEqual([
    {
      at: expect.any(String) as string,
      what: expect.stringContaining('A payment of 10 USD was created: 10 USDC to W1') as string,
      because: 'The merchant asked for it with the key k1.',
      ...{ transaction_signature: null, slot: null, verdict: null },
    },
    expect.objectContaining({ transaction_signature: 'S1', slot: 41, verdict: 'paid' }),
    expect.objectContaining({ transaction_signature: 'S1', slot: 41, verdict: 'settled' }),
  ]);
  expect(asked).toEqual([]);
});

test('the story has what pays nothing, too, and what the merchant made of it', async () => {
  const payment = await newPayment();
  await credit(payment, { amount: '9', transaction_signature: 'S-short' });
  const [{ id }] = (await get(`${payment.id}/receipts`)).json;
  const path = `/api/v1/receipts/${id}/resolve`;
  await stage.send('POST', path, caller(), { action: 'accept', note: 'A tip' });
  await credit(payment, { transaction_signature: 'S-exact' });
  const story = await explained(payment);
  expect(verdicts(story)).toEqual([null, 'short', null, 'paid', 'settled']);
  expect(story.steps[1]).toMatchObject({ transaction_signature: 'S-short', slot: 41 });
  expect(story.steps[2].because).toBe('Its note: A tip');
});

test.each([[{}], [{ max_uses: 3 }]])('a customer has asked for a payment by a link of %j', async (uses) => {
  const { json: link } = await stage.send('POST', '/api/v1/payment-links', caller(), { amount: 10, ...uses });
  const path = `/api/v1/payment-links/${link.link_code}/pay`;
  const { json: begun } = await stage.send('POST', path, stage.caller({}));
  const { steps } = await explained({ id: begun.payment_id });
  expect(steps[0].because).toBe('A customer asked for it.');
});

test('where no money was found it tells what was looked for, where, and up to when', async () => {
  const payment = await newPayment();
  const story = await explained(payment);
  expect(story.looked_for).toEqual({
    ...{ reference: payment.reference, accounts: ['A1', 'W1'] },
    up_to: '2099-01-01T00:00:00.000Z',
  });
  expect(verdicts(story)).toEqual([null, 'not_found']);
  expect(asked).toEqual([{ mode: 'test', reference: payment.reference }]);
  await close(payment);
  const after = await explained(payment);
  expect(after).toMatchObject({ status: 'expired', looked_for: { accounts: ['A1', 'W1'] } });
  expect(after.steps[1].what).toBe('The payment expired.');
});

test('where what reads the chain has not heard of the payment, or does not answer, it says so', async () => {
  const payment = await newPayment();
  looked = null;
  const story = await explained(payment);
  expect(story.looked_for).toEqual({ reference: payment.reference, accounts: [], up_to: null });
  expect(verdicts(story)).toEqual([null, 'not_looked_for']);
  is_silent = true;
  const { status, json } = await get(`${payment.id}/explain`);
  expect([status, json.code]).toEqual([503, 'service_unavailable']);
});

test('another merchant’s story is not there', async () => {
  const { id } = await newPayment();
  const answers = [
    await get(`${id}/explain`, { merchant_id: 'm2' }),
    await get(`${id}?as_of=2099-01-01T00:00:00Z`, { merchant_id: 'm2' }),
    await get(`pay_test_${'9'.repeat(22)}/explain`),
  ];
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
});

test('a payment as it was: not before it was created, pending until the log had its money', async () => {
  const payment = await newPayment();
  const asOf = async (time_ms: number) => {
    const time = new Date(time_ms).toISOString();
    const { status, json } = await get(`${payment.id}?as_of=${encodeURIComponent(time)}`);
    return status === 200 ? json.status : status;
  };
  stage.advance(60_000);
  await credit(payment);
  const events = await stage.runtime.eventStore.load(`payment.test-${payment.id}`);
  const confirmed_ms = Date.parse(events[1]?.metadata.occurred_at as string);
  const created_ms = Date.parse(payment.created_at);
  expect(await asOf(created_ms - 1)).toBe(404);
  expect(await asOf(created_ms)).toBe('pending');
  expect(await asOf(confirmed_ms - 1)).toBe('pending');
  expect(await asOf(confirmed_ms)).toBe('confirmed');
  const { json: then } = await get(`${payment.id}?as_of=${payment.created_at}`);
  expect(then).toEqual({ ...(await get(payment.id)).json, ...PENDING });
  const elsewhere = new Date(confirmed_ms + 3_600_000).toISOString().replace('Z', '+01:00');
  const { json: now } = await get(`${payment.id}?as_of=${encodeURIComponent(elsewhere)}`);
  expect(now).toEqual((await get(payment.id)).json);
});

const PENDING = {
  status: 'pending',
  transaction_signature: null,
  confirmed_at: null,
  customer_wallet: null,
};

test('two stories become one by time, and neither loses its own order', () => {
  const step = (at: string, what: string) => stepOf(at, { what, because: null });
  const one = [step('1', 'a'), step('3', 'b'), step('2', 'c')];
  const other = [step('0', 'x'), step('3', 'y'), step('9', 'z')];
  expect(merged(one, other).map(({ what }) => what).join('')).toBe('xabcyz');
});
