import type { ContextStage } from '@tender/runtime/testing';
import { paymentCase } from '../payment-case/payment-case.aggregate';
import { playPayments } from '../testing/played-payments';
import { playTreasury, type PlayedTreasury } from '../testing/played-treasury';
import { refundRoutes } from '../testing/refund-routes';
import { refundsDisputesStage } from '../testing/refunds-disputes-stage';

let stage: ContextStage;
let treasury: PlayedTreasury;
beforeAll(async () => {
  stage = await refundsDisputesStage();
  treasury = playTreasury(stage);
});
afterAll(() => stage?.close());

/** As `FollowRefundReactor` does it; a bus that tells of each before the next one takes long. */
async function complete(payment_id: string, refund_id: string): Promise<void> {
  const now = new Date(stage.runtime.clock.now()).toISOString();
  const transaction_signature = `signature for ${refund_id}`;
  const command = { type: 'CompleteRefund', refund_id, transaction_signature, now } as const;
  const handled = await paymentCase.handle(stage.runtime, 'test', payment_id, command, {
    ...{ command_id: `complete ${refund_id}`, body_hash: null, merchant_id: null },
    ...{ actor: 'system', correlation_id: refund_id, causation_id: null },
  });
  expect(handled.ok).toBe(true);
}

// M1: the 0.50 USD were SOL at a rate that divides into no cent. A thousand parts: `decide-refund.spec.ts`.
test('fifty parts of one cent are the payment to the base unit, and there is no part more', async () => {
  const routes = refundRoutes(stage);
  const payment = { payment_token: 'SOL', amount_usd: 0.5, token_amount: '3333334' } as const;
  const id = await playPayments(stage).add({ payment, amount_usd_cents: '50' });
  const cent = { amount_usd: 0.01 };
  for (let part = 0; part < 50; part += 1) {
    const { status, json } = await routes.create(id, cent);
    expect(status).toBe(201);
    await complete(id, json.id as string);
  }
  const { status, json } = await routes.create(id, cent);
  expect([status, json.code]).toEqual([409, 'payment_already_refunded']);
  await stage.settle();
  const amounts = treasury.transfers.map(({ amount }) => BigInt(amount));
  expect(amounts).toHaveLength(50);
  expect(amounts.reduce((total, amount) => total + amount, 0n)).toBe(3_333_334n);
  expect((await routes.ofPayment(id)).headers['x-total-count']).toBe('50');
});
