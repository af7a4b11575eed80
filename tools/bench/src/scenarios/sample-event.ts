import { randomUUID } from 'node:crypto';

/** The size of a payment's event: what both sides of a comparison store or send. */
export const SAMPLE_DATA = {
  payment_id: 'pay_test_4fXq0000000000000000ab',
  amount_usd: '1250',
  currency: 'USD',
  payment_token: 'USDC',
  token_amount: '12500000',
  description: 'Order 4711',
  metadata: { order: '4711', basket: 'three items' },
  wallet_address: '7EqQdEULxWcraVx3mXKFjc84LhCkMGZCkRuDpvcMwJeK',
  reference: '9wFFyRfZBsuAha4YcuxcXLKwMxJR43S7fPfQLusDBzvT',
};

export const SAMPLE_METADATA = {
  id: randomUUID(),
  type: 'PaymentCreated',
  schema_version: 1,
  mode: 'test',
  merchant_id: randomUUID(),
  subject_ids: [],
  actor: `key:${randomUUID()}`,
  command_id: randomUUID(),
  body_hash: 'a'.repeat(64),
  correlation_id: randomUUID(),
  causation_id: null,
  occurred_at: '2026-01-01T00:00:00.000Z',
  recorded_at: '2026-01-01T00:00:00.000Z',
  prev_hash: null,
};
