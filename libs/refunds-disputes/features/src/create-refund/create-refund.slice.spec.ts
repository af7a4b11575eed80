import { refundTransferId } from '@tender/contracts';
import type { ContextStage } from '@tender/runtime/testing';
import { MERCHANT, PAYER, EMAIL, playPayments, type PlayedPayments } from '../testing/played-payments';
import { playTreasury, type PlayedTreasury } from '../testing/played-treasury';
import { refundRoutes } from '../testing/refund-routes';
import { refundsDisputesStage } from '../testing/refunds-disputes-stage';

let stage: ContextStage;
let payments: PlayedPayments;
let treasury: PlayedTreasury;
let routes: ReturnType<typeof refundRoutes>;
beforeAll(async () => {
  stage = await refundsDisputesStage();
  payments = playPayments(stage);
  treasury = playTreasury(stage);
  routes = refundRoutes(stage);
});
afterAll(() => stage?.close());

const part = { amount_usd: 25 };
/** Sent back to its end. */
async function completed(payment_id: string, amount_usd: number): Promise<string> {
  const { json } = await routes.create(payment_id, { amount_usd });
  await stage.settle();
  await treasury.complete(json.id);
  await stage.settle();
  return json.id as string;
}

describe('a refund', () => {
  test('is answered whole, and goes to the wallet that paid, from the money that came (M4)', async () => {
    const id = await payments.add();
    const body = { ...part, refund_reason: 'Damaged', metadata: { order: '42' } };
    const { status, json } = await routes.create(id, body);
    expect(status).toBe(201);
    const { created_at, estimated_completion } = json;
    expect(Date.parse(estimated_completion) - Date.parse(created_at)).toBe(60_000);
    expect(json).toEqual({
      ...{ id: expect.stringMatching(/^[0-9a-f-]{36}$/), payment_id: id, merchant_id: MERCHANT },
      ...{ amount: 25, amount_usd: 25, status: 'pending', reason: 'Damaged' },
      ...{ metadata: { order: '42' }, initiated_by: 'merchant', token: 'USDC' },
      ...{ token_amount: '25000000', transaction_signature: null, customer_wallet: PAYER },
      ...{ customer_email: EMAIL, failure_reason: null, dispute_id: null, completed_at: null },
      ...{ created_at, estimated_completion },
    });
    await stage.settle();
    expect(treasury.transferOf(json.id)).toEqual({
      ...{ transfer_id: refundTransferId(id, json.id), type: 'refund', mode: 'test' },
      ...{ merchant_id: MERCHANT, asset: 'USDC', amount: '25000000' },
      ...{ credit: `signature of ${id}`, to: PAYER },
    });
  });

  test('follows its transfer', async () => {
    const id = await payments.add();
    const { json } = await routes.create(id, part);
    await stage.settle();
    await treasury.sign(json.id, 'signature 1');
    await treasury.sign(json.id, 'signature 2');
    await stage.settle();
    expect((await routes.get(json.id)).json).toMatchObject({
      ...{ status: 'processing', transaction_signature: 'signature 2', completed_at: null },
    });
    await treasury.complete(json.id, 'signature 2');
    await stage.settle();
    const { json: done } = await routes.get(json.id);
    expect(done).toMatchObject({ status: 'completed', transaction_signature: 'signature 2' });
    expect(done.completed_at >= done.created_at).toBe(true);
  });

  test.each(['insufficient_balance', 'destination_invalid', 'signing_declined', 'sanctions_hit'] as const)(
    'that fails says why (%s), and frees its part',
    async (reason) => {
      const id = await payments.add();
      const { json } = await routes.create(id, { amount_usd: 100 });
      await stage.settle();
      await treasury.fail(json.id, reason);
      await stage.settle();
      expect((await routes.get(json.id)).json).toMatchObject({
        ...{ status: 'failed', failure_reason: reason, transaction_signature: null },
      });
      expect((await routes.create(id, { amount_usd: 100 })).status).toBe(201);
    },
  );

  test('waits for the merchant’s operating wallet, and holds up no other', async () => {
    treasury.is_ready = false;
    const { json } = await routes.create(await payments.add(), part);
    await stage.settle();
    expect(() => treasury.transferOf(json.id)).toThrow('no transfer');
    treasury.is_ready = true;
    const { json: other } = await routes.create(await payments.add(), part);
    await stage.settle();
    expect(treasury.transferOf(other.id).amount).toBe('25000000');
    await treasury.isAsked(json.id);
  });
});

describe('is refused by name', () => {
  const told = async (answer: ReturnType<typeof routes.create>) => {
    const { status, json } = await answer;
    return [status, json.code, json.details];
  };
  test.each([
    ['pending', { payment: { status: 'pending', transaction_signature: null } }],
    ['expired', { payment: { status: 'expired', transaction_signature: null } }],
    ['of an unknown payer', { payment: { customer_wallet: null } }],
    ['held', { hold: 'held' }],
    ['about to be captured', { hold: 'capturing' }],
    ['canceled', { hold: 'canceled' }],
  ] as const)('a payment that is %s', async (_, changes) => {
    const id = await payments.add(changes as Parameters<PlayedPayments['add']>[0]);
    expect(await told(routes.create(id, part))).toEqual([409, 'payment_not_refundable', {}]);
  });
  test('a second one while the first is under way (M2)', async () => {
    const id = await payments.add();
    await routes.create(id, part);
    expect(await told(routes.create(id, part))).toEqual([409, 'refund_in_progress', {}]);
  });
  test('more than is left (M1)', async () => {
    const id = await payments.add();
    await completed(id, 99.99);
    expect(await told(routes.create(id, { amount_usd: 0.02 }))).toEqual([
      ...[422, 'refund_amount_exceeds_remaining', { remaining_usd: 0.01 }],
    ]);
  });
  test('all was refunded (M1)', async () => {
    const id = await payments.add();
    await completed(id, 100);
    expect(await told(routes.create(id, { amount_usd: 0.01 }))).toEqual([
      ...[409, 'payment_already_refunded', {}],
    ]);
  });
  test('less than one base unit', async () => {
    const payment = { payment_token: 'SOL', token_amount: '99' } as const;
    const id = await payments.add({ payment });
    expect(await told(routes.create(id, { amount_usd: 0.01 }))).toEqual([422, 'validation_failed', {}]);
  });
  test.each([0.001, 1e-9])('an amount of %d', async (amount_usd) => {
    const id = await payments.add();
    const [status, code, details] = await told(routes.create(id, { amount_usd }));
    expect([status, code]).toEqual([400, 'invalid_parameter']);
    expect(details).toMatchObject({ fields: [{ field: 'amount_usd' }] });
  });
});

test('another merchant’s payment, one of the other mode and none at all are one 404, byte for byte', async () => {
  const id = await payments.add();
  const live = await payments.add({ payment: { mode: 'live' } });
  const none = `pay_test_${'0'.repeat(22)}`;
  const answers = [
    await routes.create(id, part, { merchant_id: 'm2' }),
    await routes.create(live, part),
    await routes.create(id, part, { mode: 'live' }),
    await routes.create(none, part),
    await routes.ofPayment(id, '', { merchant_id: 'm2' }),
    await routes.ofPayment(live),
    await routes.ofPayment(none),
  ];
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  expect(answers[0]).toMatchObject({ status: 404, json: { code: 'not_found' } });
});

describe('an Idempotency-Key', () => {
  test('begins one refund, however often it comes', async () => {
    const id = await payments.add();
    const who = { command_id: 'key 1', id_seed: '11'.repeat(16) };
    const first = await routes.create(id, part, who);
    await stage.settle();
    await treasury.sign(first.json.id);
    await stage.settle();
    const again = await routes.create(id, part, who);
    expect([again.status, again.text]).toEqual([201, first.text]);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect((await routes.ofPayment(id)).json).toHaveLength(1);
  });
  test('stands for one body', async () => {
    const id = await payments.add();
    const who = { command_id: 'key 2', id_seed: '22'.repeat(16) };
    await routes.create(id, part, who);
    const other = await routes.create(id, { amount_usd: 26 }, { ...who, body_hash: 'other body' });
    expect([other.status, other.json.code]).toEqual([409, 'idempotency_key_reused']);
  });
  test('is another request’s after a day', async () => {
    const id = await payments.add();
    const who = { command_id: 'key 3', id_seed: '33'.repeat(16) };
    const { json: first } = await routes.create(id, part, who);
    await stage.settle();
    await treasury.complete(first.id);
    await stage.settle();
    stage.advance(24 * 3_600_000 + 1);
    const { status, json } = await routes.create(id, part, who);
    expect([status, json.id === first.id]).toEqual([201, false]);
  });
});

test('a hundred at once: one goes, ninety-nine are refused by name (M2)', async () => {
  const id = await payments.add();
  const answers = await Promise.all(
    Array.from({ length: 100 }, () => routes.create(id, { amount_usd: 100 })),
  );
  const count = (code: string | undefined) =>
    answers.filter(({ json }) => json.code === code).length;
  expect([count(undefined), count('refund_in_progress')]).toEqual([1, 99]);
  await stage.settle();
  const of_it = treasury.transfers.filter(({ transfer_id }) => transfer_id.startsWith(id));
  expect(of_it).toHaveLength(1);
});
