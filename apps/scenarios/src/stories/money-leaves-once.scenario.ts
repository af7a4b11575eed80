/**
 * @landing embedded postgres
 * @program own
 * @takes minutes
 */
// What is refunded leaves an operating wallet once, whichever process is killed on the way, and without an operator.
import { newCustomer, sendUsdc, usdcOf } from '../harness/customers';
import { eventually } from '../harness/eventually';
import { brokenInvariants, parkedMessages } from '../harness/invariants';
import { newMerchant, type Merchant } from '../harness/merchants';
import { Program } from '../harness/program';
import { storedEvents } from '../harness/stored-events';
import { ended, finalizeOne, isPaid, straysIn, type Refund, type Shop } from './money-leaves/refunds';
import { FINAL, STRIKES, type Strike } from './money-leaves/strikes';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- answers are what is under test
type Json = any;

const program = new Program();
const AMOUNT = 5_000_000n;
const PAYMENTS = 40;
/** Money without a payment: payments itself has it sent back. */
const STRAYS = 10;
let merchant: Merchant;
let shop: Shop;

const walletAnswer = async (): Promise<Json> => (await shop.patient.get('/api/v1/merchants/me/wallet')).json;

const all: Refund[] = [];
/** What the operating wallet holds before the first refund. */
let funded: bigint;
/** Signatures of what came into it. */
const came: string[] = [];

beforeAll(async () => {
  await program.start({});
  merchant = await newMerchant(program);
  const patient = merchant.api.patient();
  const wallet = () => patient.get('/api/v1/merchants/me/wallet');
  const opened = await eventually(wallet, ({ json }) => json.operating_wallet_address !== null);
  const { operating_wallet_address: operating_wallet } = opened.json;
  shop = { program, patient, operating_wallet };
  // The merchant funds the wallet: what it was paid is in its own.
  const funds = AMOUNT * BigInt(PAYMENTS + 2);
  const till = await newCustomer(program, Number(funds) / 1e6);
  came.push(await sendUsdc(program, till, operating_wallet, funds));
  const strays = await Promise.all(Array.from({ length: STRAYS }, () => straysIn(shop, AMOUNT)));
  const paid = await Promise.all(Array.from({ length: PAYMENTS }, () => isPaid(shop, AMOUNT)));
  came.push(...strays.map(({ credit }) => credit));
  // Of each five that are begun one is a stray.
  all.push(...strays.flatMap((stray, index) => [...paid.slice(4 * index, 4 * index + 4), stray]));
  funded = await usdcOf(program, operating_wallet);
});
afterAll(() => program.discard());

const begun: Refund[] = [];
const asked: Promise<void>[] = [];

/** The next refunds, asked for at once and answered when they can be. */
function begin(count: number): readonly Refund[] {
  const next = all.slice(begun.length, begun.length + count);
  begun.push(...next);
  asked.push(...next.map((refund) => refund.ask()));
  return next;
}

/** The processes die as soon as a refund is at the point, and have to serve again. */
async function survives({ dying, fault }: Strike): Promise<void> {
  const sent = fault === FINAL ? begin(2).find(({ of }) => of === 'payment') : undefined;
  // On a slow machine it may have come to its end between two looks: then another one is at the point.
  if (sent) await eventually(sent.look, (way) => ['processing', 'completed'].includes(way?.status ?? ''));
  await program.strike(dying, fault, 'treasury');
  // What is final already may be what the processes die of: then the chain is gone, too.
  if (sent) await finalizeOne(shop, sent).catch(() => undefined);
  else begin(2);
  await program.rises();
}

test('fifty refunds begin', () => {
  expect(all).toHaveLength(PAYMENTS + STRAYS);
  begin(all.length - 2 * STRIKES.flat().length);
});

describe.each(STRIKES.map((strikes, index) => [index + 1, strikes] as const))('round %i', (_, strikes) => {
  test.each(strikes.map((strike) => [strike.name, strike] as const))('%s', (_name, strike) =>
    survives(strike),
  );
});

test('every refund is completed, and all of the money is back, to the unit', async () => {
  await Promise.all(asked);
  expect(begun).toHaveLength(all.length);
  for (const refund of all) {
    expect(await ended(refund)).toMatchObject({ status: 'completed', failure_reason: null });
    expect(await usdcOf(program, refund.customer)).toBe(refund.amount);
  }
  const left = await usdcOf(program, shop.operating_wallet);
  expect(funded - left).toBe(AMOUNT * BigInt(all.length));
});

test('the log says of each that it was begun and completed once, by one transfer', async () => {
  const times = async (category: 'outgoingtransfer.test' | 'case.test' | 'receipt.test', type: string) => {
    const streams = (await storedEvents(program, category)).filter((event) => event.type === type);
    expect(new Set(streams.map(({ stream }) => stream)).size).toBe(streams.length);
    return streams.length;
  };
  expect(await times('outgoingtransfer.test', 'TransferRequested')).toBe(all.length);
  expect(await times('outgoingtransfer.test', 'TransferCompleted')).toBe(all.length);
  expect(await times('outgoingtransfer.test', 'TransferFailed')).toBe(0);
  for (const type of ['RefundInitiated', 'RefundCompleted']) {
    expect(await times('case.test', type)).toBe(PAYMENTS);
  }
  for (const type of ['ReceiptRefundRequested', 'ReceiptResolved']) {
    expect(await times('receipt.test', type)).toBe(STRAYS);
  }
});

test('no message waits for an operator, and no invariant is broken', async () => {
  expect(await parkedMessages(program)).toEqual([]);
  expect(await brokenInvariants(program)).toEqual([]);
});

test('the merchant hears once of what came into the wallet, and nothing of what left it', async () => {
  const receipts = (): Promise<Json> => shop.patient.get('/api/v1/receipts?limit=100');
  const { json } = await eventually(receipts, ({ json: told }) => told.length >= came.length);
  const money = ({ transaction_signature, wallet }: Json) => [transaction_signature, wallet];
  const paid_in = came.map((signature) => [signature, shop.operating_wallet]);
  expect(json.map(money).toSorted()).toEqual(paid_in.toSorted());
});

test('the wallet is the one that it was', async () => {
  const { operating_wallet_address, operating_wallet_custody_model } = await walletAnswer();
  expect([operating_wallet_address, operating_wallet_custody_model]).toEqual([shop.operating_wallet, 'shared']);
});

test('a key that stands for a transfer is refused for another one', async () => {
  const sendBack = (body: object): Promise<Json> => shop.patient.post('/api/v1/test_helpers/send-back', body);
  const payer = await newCustomer(program, 10);
  const amounts = [AMOUNT, AMOUNT - 1n];
  const credits = amounts.map((amount) => sendUsdc(program, payer, shop.operating_wallet, amount));
  const [one, other] = await Promise.all(credits);
  expect((await sendBack({ credit: one, key: 'one' })).status).toBe(200);
  for (const changed of [{ amount: 1 }, { credit: other }]) {
    const { status, json } = await sendBack({ credit: one, key: 'one', ...changed });
    expect([status, json.details?.fields]).toMatchObject([400, [{ field: 'key' }]]);
  }
});

test('nothing is sent to a wallet that was sanctioned after it has paid', async () => {
  const refund = await isPaid(shop, AMOUNT);
  const arranged = { wallet: refund.customer, action: 'sanction' };
  expect((await shop.patient.post('/api/v1/test_helpers/screening', arranged)).status).toBe(200);
  await refund.ask();
  expect(await ended(refund)).toMatchObject({ status: 'failed', failure_reason: 'sanctions_hit' });
});
