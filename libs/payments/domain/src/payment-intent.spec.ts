import {
  evolvePaymentIntent,
  intentAfter,
  UNKNOWN_PAYMENT_INTENT,
  type PaymentIntentEvent,
  type PaymentIntentStep,
} from './payment-intent';
import history from './recorded/payment-intent-v1.json';

const recorded = history as unknown as { [One in PaymentIntentEvent as One['type']]: One };
const { PaymentIntentCreated: Created, PaymentIntentRequiresPayment: RequiresPayment } = recorded;
const { PaymentIntentConfirmed: Confirmed, ClientSecretRefused: SecretRefused } = recorded;
const { PaymentIntentSucceeded: Succeeded, PaymentIntentFailed: Failed } = recorded;
const { PaymentIntentExpired: Expired, PaymentIntentCanceled: Canceled } = recorded;
const { terms, client_secret_hash } = Created.data;
const { paid_by } = Confirmed.data;
const fold = (...events: readonly PaymentIntentEvent[]) =>
  events.reduce(evolvePaymentIntent, UNKNOWN_PAYMENT_INTENT);
const begun = [Created, RequiresPayment];

test('a recorded history of version 1 folds as it did', () => {
  const waiting = {
    ...{ status: 'requires_payment', terms, client_secret_hash, wrong_secrets_at: [] },
    ...{ paid_by: null, transaction_signature: null, failure_reason: null },
  };
  expect(fold(...begun)).toEqual(waiting);
  expect(fold(...begun, SecretRefused)).toEqual({
    ...{ ...waiting, wrong_secrets_at: ['2026-01-01T00:05:00.000Z'] },
  });
  const processing = { ...waiting, status: 'processing', paid_by };
  expect(fold(...begun, Confirmed)).toEqual(processing);
  expect(fold(...begun, Confirmed, Succeeded)).toEqual({
    ...{ ...processing, status: 'succeeded' },
    transaction_signature: Succeeded.data.transaction_signature,
  });
  expect(fold(...begun, Confirmed, Failed)).toEqual({
    ...{ ...processing, status: 'failed', failure_reason: 'payment_expired' },
  });
  expect(fold(...begun, Expired)).toEqual({
    ...{ ...waiting, status: 'expired', failure_reason: 'expired' },
  });
  expect(fold(...begun, Canceled)).toEqual({ ...waiting, status: 'canceled' });
});

test.each([
  [[Created]],
  [[Created, RequiresPayment]],
  [[...begun, Confirmed]],
  [[...begun, Confirmed, Succeeded]],
  [[...begun, Confirmed, Failed]],
  [[...begun, Expired]],
  [[...begun, Canceled]],
])('the last event alone tells the same as the whole history, but for the secret (%#)', (events) => {
  const { client_secret_hash: _, ...known } = fold(...events) as Record<string, unknown>;
  expect(intentAfter(events.at(-1) as PaymentIntentStep)).toEqual(known);
});

test('the newest wrong secrets are kept, and no more', () => {
  const at = (n: number) => `2026-01-01T00:0${n}:00.000Z`;
  const refused = [1, 2, 3, 4, 5, 6, 7].map((n) => ({
    ...{ ...SecretRefused, data: { ...SecretRefused.data, refused_at: at(n) } },
  }));
  expect(fold(...begun, ...refused)).toMatchObject({ wrong_secrets_at: [3, 4, 5, 6, 7].map(at) });
});

test('an event of a later version, or of a stream that has not begun, changes nothing', () => {
  const later = { type: 'PaymentIntentNoted', data: {} } as unknown as PaymentIntentEvent;
  expect(fold(Created, later)).toEqual(fold(Created));
  expect(fold(Confirmed, Succeeded)).toEqual(UNKNOWN_PAYMENT_INTENT);
});
