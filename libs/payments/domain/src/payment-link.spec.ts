import { evolvePaymentLink, UNKNOWN_PAYMENT_LINK, type PaymentLinkEvent } from './payment-link';
import history from './recorded/payment-link-v1.json';

const recorded = history as unknown as Record<PaymentLinkEvent['type'], PaymentLinkEvent>;
const { PaymentLinkCreated, LinkUseHeld, LinkUseReleased, PaymentLinkUsed, PaymentLinkClosed } =
  recorded;
const { link } = (PaymentLinkCreated as Extract<PaymentLinkEvent, { type: 'PaymentLinkCreated' }>).data;
const fold = (...events: readonly PaymentLinkEvent[]) =>
  events.reduce(evolvePaymentLink, UNKNOWN_PAYMENT_LINK);
const open = { status: 'open', terms: link, customer: null, holds: {}, used: 0 };

test('a recorded history of version 1 folds as it did', () => {
  const held = { pay_test_0000000000000000000042: '2026-01-01T00:15:00.000Z' };
  expect(fold(PaymentLinkCreated)).toEqual({ ...open, updated_at: link.created_at });
  expect(fold(PaymentLinkCreated, LinkUseHeld)).toEqual({
    ...{ ...open, holds: held, updated_at: '2026-01-01T00:00:00.000Z' },
  });
  expect(fold(PaymentLinkCreated, LinkUseHeld, PaymentLinkUsed)).toEqual({
    ...{ ...open, used: 1, updated_at: '2026-01-01T00:03:21.000Z' },
  });
  expect(fold(PaymentLinkCreated, LinkUseHeld, LinkUseReleased)).toEqual({
    ...{ ...open, updated_at: '2026-01-01T00:15:01.000Z' },
  });
  expect(fold(PaymentLinkCreated, PaymentLinkClosed)).toEqual({
    ...{ ...open, status: 'closed', updated_at: '2026-01-02T00:00:00.000Z' },
  });
});

test('an event of a later version, or of a stream that has not begun, changes nothing', () => {
  const later = { type: 'PaymentLinkNoted', data: {} } as unknown as PaymentLinkEvent;
  expect(fold(PaymentLinkCreated, later)).toEqual(fold(PaymentLinkCreated));
  expect(fold(LinkUseHeld, PaymentLinkClosed)).toEqual(UNKNOWN_PAYMENT_LINK);
});
