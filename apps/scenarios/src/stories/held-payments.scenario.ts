/**
 * @landing embedded
 * @program own
 */
// Money of a manual payment intent waits in the operating wallet, and leaves it once: to the merchant, or back.
import { type Client, idempotencyKey } from '../harness/client';
import { newCustomer, usdcOf } from '../harness/customers';
import { eventually } from '../harness/eventually';
import { brokenInvariants } from '../harness/invariants';
import { newMerchant, type Merchant } from '../harness/merchants';
import { operatingWalletOf, refundEnded, transferEnded } from '../harness/operating-wallets';
import { Program } from '../harness/program';
import { Receiver } from '../harness/receiver';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- answers are what is under test
type Json = any;

const DAY_SECONDS = 24 * 60 * 60;
const program = new Program();
let receiver: Receiver;
let merchant: Merchant;
let api: Client;
let wallets: { readonly own: string; readonly operating: string };

const get = async (path: string): Promise<Json> => (await api.get(`/api/v1${path}`)).json;

beforeAll(async () => {
  receiver = await Receiver.start();
  await program.start({});
  merchant = await newMerchant(program, { webhook_url: receiver.url });
  api = merchant.api.patient();
  wallets = { own: merchant.wallet, operating: await operatingWalletOf(merchant) };
});
afterAll(async () => {
  await receiver.close();
  await program.discard();
});

interface Held {
  readonly id: string;
  readonly payment_id: string;
  readonly payer: string;
}

/** A customer has paid a manual intent, and the merchant sees that the money is held. */
async function held(amount: number): Promise<Held> {
  const body = { amount, capture_method: 'manual' };
  const { id, client_secret } = (await api.post('/api/v1/payment-intents', body, idempotencyKey())).json;
  const { address: payer, secret: from } = await newCustomer(program, amount);
  const confirming = { customer_wallet: payer, client_secret, auto_gasless: true };
  const confirmed = await api.post(`/api/v1/payment-intents/${id}/confirm`, confirming, idempotencyKey());
  expect(confirmed.status).toBe(200);
  const { payment_id } = confirmed.json;
  expect(await get(`/payments/${payment_id}`)).toMatchObject({ wallet_address: wallets.operating });
  const paid = await program.admin().post('/api/v1/test_helpers/pay', { payment_id, from });
  expect(paid.status).toBe(200);
  const intent = await eventually(
    () => get(`/payment-intents/${id}`),
    ({ capture_before }) => capture_before !== null,
  );
  expect(intent).toMatchObject({ status: 'processing', transaction_signature: paid.json.signature });
  return { id, payment_id, payer };
}

const act = ({ id }: Held, action: 'capture' | 'cancel') =>
  merchant.api.post(`/api/v1/payment-intents/${id}/${action}`, undefined, idempotencyKey());

const settled = ({ payment_id }: Held, status: string): Promise<Json> => {
  const look = async () => (await get(`/settlements?payment_id=${payment_id}`))[0];
  return transferEnded(program, look, status);
};

const statusOf = ({ id }: Held, status: string): Promise<Json> =>
  eventually(() => get(`/payment-intents/${id}`), (intent) => intent.status === status);

/** The one refund of a canceled hold, once it is final. */
async function refunded({ payment_id }: Held): Promise<Json> {
  const refund = await refundEnded(program, api, payment_id);
  expect(refund.status).toBe('completed');
  return refund;
}

const webhooksOf = ({ payment_id }: Held): readonly string[] => [
  ...new Set(
    receiver.deliveries
      .filter(({ json }) => (json.payment?.id ?? json.payment_intent?.payment_id) === payment_id)
      .map(({ json }) => json.event as string),
  ),
];

test('a hold that is captured: the money is with the merchant to the unit, and the intent has succeeded', async () => {
  const own_before = await usdcOf(program, wallets.own);
  const held_before = await usdcOf(program, wallets.operating);
  const one = await held(7);
  expect(await usdcOf(program, wallets.operating)).toBe(held_before + 7_000_000n);
  expect(await usdcOf(program, wallets.own)).toBe(own_before);
  const captured = await act(one, 'capture');
  expect([captured.status, captured.json.status]).toEqual([200, 'processing']);
  const settlement = await settled(one, 'completed');
  expect(settlement).toMatchObject({ settlement_amount: 7, merchant_wallet: wallets.own });
  await statusOf(one, 'succeeded');
  expect(await usdcOf(program, wallets.own)).toBe(own_before + 7_000_000n);
  expect(await usdcOf(program, wallets.operating)).toBe(held_before);
  // Of three objects: none of them waits for another.
  const hears = ['PaymentConfirmed', 'SettlementCompleted', 'PaymentIntentSucceeded'];
  await receiver.until(() => hears.every((event) => webhooksOf(one).includes(event)));
  expect(await get('/receipts')).toEqual([]);
  const { steps } = await get(`/payments/${one.payment_id}/explain`);
  expect(steps.map(({ verdict }: Json) => verdict)).toEqual(expect.arrayContaining(['paid', 'settled']));
});

test('a hold that is canceled: the money is back with the customer to the unit', async () => {
  const one = await held(4);
  const canceled = await act(one, 'cancel');
  expect([canceled.status, canceled.json.status]).toEqual([200, 'canceled']);
  expect(await refunded(one)).toMatchObject({ amount_usd: 4, initiated_by: 'merchant' });
  expect(await usdcOf(program, one.payer)).toBe(4_000_000n);
  expect(await get(`/settlements?payment_id=${one.payment_id}`)).toEqual([]);
  await receiver.until(() => webhooksOf(one).includes('PaymentIntentCanceled'));
});

test('captured and canceled at the same moment, one of both has happened', async () => {
  const all = await Promise.all([held(2), held(2), held(2)]);
  for (const one of all) {
    const [captured, canceled] = await Promise.all([act(one, 'capture'), act(one, 'cancel')]);
    expect([captured.status, canceled.status].toSorted()).toEqual([200, 409]);
    if (captured.status === 200) {
      await settled(one, 'completed');
      await statusOf(one, 'succeeded');
      expect(await get(`/payments/${one.payment_id}/refunds`)).toEqual([]);
      expect(await usdcOf(program, one.payer)).toBe(0n);
    } else {
      await refunded(one);
      expect(await get(`/settlements?payment_id=${one.payment_id}`)).toEqual([]);
      expect(await usdcOf(program, one.payer)).toBe(2_000_000n);
    }
  }
});

test('a settlement that fails leaves the intent processing; retried, it brings the money', async () => {
  const before = await usdcOf(program, wallets.own);
  const one = await held(3);
  const arrange = (action: string) =>
    program.admin().post('/api/v1/test_helpers/screening', { wallet: wallets.own, action });
  expect((await arrange('sanction')).status).toBe(200);
  await act(one, 'capture');
  const failed = await settled(one, 'failed');
  expect(failed).toMatchObject({ failure_reason: 'sanctions_hit' });
  await receiver.until(() => webhooksOf(one).includes('SettlementFailed'));
  expect((await get(`/payment-intents/${one.id}`)).status).toBe('processing');
  expect((await arrange('clear')).status).toBe(200);
  const retried = await api.post(`/api/v1/settlements/${failed.id}/retry`, undefined, idempotencyKey());
  expect([retried.status, retried.json.status]).toEqual([200, 'pending']);
  await settled(one, 'completed');
  await statusOf(one, 'succeeded');
  expect(await usdcOf(program, wallets.own)).toBe(before + 3_000_000n);
});

test('not captured within seven days, it is canceled by the system, and the money is back', async () => {
  const one = await held(5);
  const advance = { seconds: 7 * DAY_SECONDS };
  expect((await program.admin().post('/api/v1/test_helpers/clock/advance', advance)).status).toBe(200);
  await statusOf(one, 'canceled');
  const late = await act(one, 'capture');
  expect([late.status, late.json.code]).toEqual([409, 'invalid_intent_state']);
  expect(await refunded(one)).toMatchObject({ amount_usd: 5, initiated_by: 'system' });
  expect(await usdcOf(program, one.payer)).toBe(5_000_000n);
});

test('every rule that Tender keeps was kept', async () => {
  expect(await brokenInvariants(program)).toEqual([]);
});
