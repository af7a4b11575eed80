import { ContextChecks } from '@tender/eventing';
import { sampleEvent } from '@tender/eventing/testing';
import type { ContextStage } from '@tender/runtime/testing';
import { payment } from '../payment-details/payment.aggregate';
import { paymentsContext } from '../payments.context';
import { fateOf, type Fate } from '../testing/payment-fates';
import { paymentsStage } from '../testing/payments-stage';

const OWNER = {
  ...{ merchant_id: 'm1', merchant_name: 'Corner Shop', actor: 'key:k1' },
  wallet: '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin',
};

let stage: ContextStage;
let fate: Fate;

beforeEach(async () => {
  stage = await paymentsStage();
  fate = fateOf(stage);
});
afterEach(() => stage.close());

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- answers are what is under test
type Json = any;

const post = async (path: string, body: object = {}): Promise<Json> =>
  (await stage.send('POST', `/api/v1/${path}`, stage.caller(OWNER), body)).json;
const get = async (path: string): Promise<Json> =>
  (await stage.send('GET', `/api/v1/${path}`, stage.caller(OWNER))).json;
const newPayment = async (): Promise<Json> => {
  const { id } = await post('payments', { amount: 12.34 });
  return knownAs(id);
};
/** What `fateOf` needs to know of it. */
const knownAs = async (id: string): Promise<Json> => {
  const { terms } = (await payment.load(stage.runtime, 'test', id)) as Json;
  return terms;
};
const sql = (text: string) => stage.runtime.readModels.query(text);

/** What a pass over everything finds. */
async function broken(): Promise<readonly string[]> {
  await stage.settle();
  const checks = new ContextChecks(stage.runtime, paymentsContext, { rest: async () => undefined });
  await checks.pass(new AbortController().signal);
  const rows = (await sql(
    `select invariant || ' ' || stream || ': ' || says as line
      from payments.invariant_violations order by invariant, stream`,
  )) as { line: string }[];
  const all = checks.violations.reduce((sum, { objects }) => sum + objects, 0);
  expect(all).toBe(rows.length);
  return rows.map(({ line }) => line);
}

test('payments, links and intents that come to any end break nothing', async () => {
  for (const end of ['confirm', 'fail', 'expire'] as const) await fate[end](await newPayment());
  const link = await post('payment-links', { amount: 10, max_uses: 2 });
  for (const end of ['expire', 'confirm', 'confirm'] as const) {
    const { payment_id } = await post(`payment-links/${link.link_code}/pay`);
    await fate[end](await knownAs(payment_id));
    await stage.settle();
  }
  await post('payment_intents', { amount: 5, currency: 'USD' });
  expect((await get(`payment-links/${link.id}`)).uses_count).toBe(2);
  expect(await broken()).toEqual([]);
  const [walked] = (await sql('select count(*)::int as kinds from payments.invariant_passes')) as Json[];
  expect(walked.kinds).toBe(4);
});

test('M7: two payments that one credit has paid are both named', async () => {
  const [one, other] = [await newPayment(), await newPayment()];
  await fate.confirm(one);
  const { payment_id, merchant_id, token_amount: amount, token_mint } = other;
  await stage.say(`watch.test-${payment_id}`, 'chain-indexer.credit-allocated.v1', {
    ...{ payment_id, merchant_id, token: 'USDC', token_mint, amount, from_wallet: 'C1' },
    ...{ transaction_signature: `S-${one.payment_id}`, block_time: other.created_at },
  });
  const ids = [one.payment_id, payment_id].toSorted();
  expect(await broken()).toEqual([
    `M7 payment.test-${ids[0]}: paid by the same money as ${ids[1]}`,
    `M7 payment.test-${ids[1]}: paid by the same money as ${ids[0]}`,
  ]);
});

test('M10: a link that more payments hold than it allows, until it is mended', async () => {
  const link = await post('payment-links', { amount: 10, max_uses: 1 });
  await post(`payment-links/${link.link_code}/pay`);
  await stage.settle();
  await sql('update payments.link_uses_g1 set uses = uses + 1');
  expect(await broken()).toEqual([
    `M10 link.test-${link.id}: 2 payments hold or have its 1 uses`,
  ]);
  await sql('update payments.link_uses_g1 set uses = uses - 1');
  expect(await broken()).toEqual([]);
});

test('M8: an event that came after the end of a payment', async () => {
  const paid = await newPayment();
  await fate.confirm(paid);
  await stage.settle();
  const stream = payment.stream('test', paid.payment_id);
  const history = await stage.runtime.eventStore.load(stream);
  const expired = sampleEvent(stream, { terms: paid, watermark: paid.expires_at }, { type: 'PaymentExpired' });
  await stage.runtime.eventStore.append(stream, [expired], history.length - 1);
  expect(await broken()).toEqual([`M8 ${stream}: PaymentExpired after PaymentConfirmed`]);
});
