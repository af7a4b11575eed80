/** @landing embedded postgres eventstore */
import { randomUUID } from 'node:crypto';
import type { Answer } from '../harness/client';
import { idempotencyKey } from '../harness/client';
import { eventually } from '../harness/eventually';
import { liveKey, newMerchant } from '../harness/merchants';
import { Receiver } from '../harness/receiver';
import { sharedProgram } from '../harness/running-program';

const program = sharedProgram();
const someone = (score: '70' | '90') => `${randomUUID()}+score${score}@tender.test`;

test('a blocked order is refused for good, a suspicious one is flagged, and the merchant hears of both', async () => {
  const receiver = await Receiver.start();
  const merchant = await newMerchant(program);
  await merchant.api.put('/api/v1/merchants/me/webhook', { webhook_url: receiver.url });
  const order = (body: object, headers = idempotencyKey()) =>
    merchant.api.post('/api/v1/payments', { amount: 20, ...body }, headers);

  const key = idempotencyKey();
  const refused = { customer_email: someone('90') };
  const blocked = await order(refused, key);
  expect([blocked.status, blocked.json.code]).toEqual([402, 'payment_blocked']);
  const { payment_id } = blocked.json.details;
  const again = await order(refused, key);
  expect([again.status, again.text]).toEqual([402, blocked.text]);
  expect((await merchant.api.get(`/api/v1/payments/${payment_id}`)).status).toBe(404);

  const reviewed = await order({ customer_email: someone('70') });
  expect(reviewed.status).toBe(200);
  expect((await order({})).status).toBe(200);

  const told = (event: string) =>
    receiver.deliveries.find(({ json }) => json.event === event)?.json;
  await receiver.until(() => Boolean(told('FraudPaymentBlocked') && told('FraudFlagRaised')));
  expect(told('FraudPaymentBlocked')).toMatchObject({
    fraud: {
      payment_id,
      merchant_id: merchant.id,
      fraud_score: 90,
      blocked: true,
      flags: ['test_identity'],
    },
    metadata: { fraud_score: 90, fraud_flags: ['test_identity'], fraud_review_required: false },
    payment: null,
  });
  expect(told('FraudFlagRaised')).toMatchObject({
    fraud: { payment_id: reviewed.json.id, fraud_score: 70, blocked: false },
    metadata: { fraud_review_required: true },
    payment: { id: reviewed.json.id, amount_usd: 20 },
  });

  const flags = await eventually(
    () => merchant.api.get('/api/v1/merchants/me/fraud/flags?limit=1'),
    ({ json }) => json.pagination?.total === 2,
  );
  expect(flags.json.pagination).toEqual({ page: 1, limit: 1, total: 2, total_pages: 2 });
  const stats = await eventually(
    () => merchant.api.get('/api/v1/merchants/me/fraud/stats'),
    ({ json }) => json.total_flagged === 2 && json.high_risk_payments_24h === 2,
  );
  expect(stats.json).toMatchObject({ blocked_payments: 1, estimated_fraud_prevented_usd: 20 });
  await receiver.close();
});

test('an operator says what a flag was; live orders are screened, too', async () => {
  const merchant = await newMerchant(program);
  const live = await liveKey(program, merchant);
  const isOk = ({ status }: Answer) => status === 200;
  await eventually(() => live.post('/api/v1/payments', { amount: 5 }), isOk);
  const blocked = await live.post('/api/v1/payments', { amount: 5, customer_email: someone('90') });
  expect(blocked.status).toBe(402);
  const { json } = await eventually(
    () => live.get('/api/v1/merchants/me/fraud/flags'),
    (answer) => answer.json.data?.length === 1,
  );
  const [{ id }] = json.data;
  const resolution = { resolution_type: 'confirmed_fraud', notes: 'stolen card' };
  const resolved = await program.admin().post(`/admin/fraud/flags/${id}/resolve`, resolution);
  expect([resolved.status, resolved.json]).toMatchObject([
    200,
    { id, resolved: true, resolved_by: 'admin' },
  ]);
  const wrong = await program.admin().post(`/admin/fraud/flags/${id}/resolve`, { notes: 'x' });
  expect(wrong.status).toBe(400);
  expect((await merchant.api.get('/api/v1/merchants/me/fraud/flags')).json.data).toEqual([]);
});
