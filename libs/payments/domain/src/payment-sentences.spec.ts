import type { Asker, Sentence } from '@tender/kernel';
import { lookUpSentence } from './look-up-sentence';
import type { PaymentCreated, PaymentEvent } from './payment';
import { paymentSentences } from './payment-sentences';
import type { ReceiptEvent, ReceiptRecorded } from './receipt';
import { receiptSentences } from './receipt-sentences';
import payments from './recorded/payment-v1.json';
import receipts from './recorded/receipt-v1.json';

type Says = Readonly<Record<string, (event: never, asker: Asker) => Sentence>>;

const of = (says: Says, recorded: object, type: string, actor = 'system:x') =>
  says[type]?.((recorded as Record<string, unknown>)[type] as never, { actor });
const ofPayment = (type: PaymentEvent['type'], actor?: string) =>
  of(paymentSentences, payments, type, actor);
const ofReceipt = (type: ReceiptEvent['type']) => of(receiptSentences, receipts, type);
const { terms } = (payments.PaymentCreated as unknown as PaymentCreated).data;

describe('a payment says', () => {
  test('what is due, where and until when', () => {
    expect(ofPayment('PaymentCreated', 'key:k1')).toEqual({
      what: `A payment of 10.01 EUR was created: 10.8108 USDC to ${terms.wallet_address} until ${terms.expires_at}.`,
      because: 'The merchant asked for it with the key k1.',
    });
  });

  test.each([
    ['session:s1', 'A person of the merchant asked for it.'],
    ['admin', 'The operator asked for it.'],
    ['public', 'A customer asked for it.'],
    ['system:plans.renew', 'Tender did it by itself: it followed from what had happened before.'],
  ])('that %s asked for it', (actor, because) => {
    expect(ofPayment('PaymentCreated', actor)?.because).toBe(because);
  });

  test('what paid it', () => {
    const said = ofPayment('PaymentConfirmed');
    expect(said?.what).toBe(
      'The payment was confirmed: 10.8108 USDC arrived from C1vEHzK6sTQxT8d4Qw5ZeRxqgqSuxfrZ3bPz3qUq8mJd at 2026-01-01T00:03:20.000Z.',
    );
    expect(said?.because).toContain(terms.reference);
    expect(said).toMatchObject({
      transaction_signature: payments.PaymentConfirmed.data.confirmation.transaction_signature,
      verdict: 'paid',
    });
    // A confirmation of before slots were told.
    expect(said).not.toHaveProperty('slot');
  });

  test('in which slot, where that is known', () => {
    type Of<Type> = Extract<PaymentEvent, { type: Type }>;
    const confirmed = payments.PaymentConfirmed as never as Of<'PaymentConfirmed'>;
    const { data } = confirmed;
    const confirmation = { ...data.confirmation, slot: 42 };
    const system = { actor: 'system:x' };
    const paid_in_slot = { ...confirmed, data: { ...data, confirmation } };
    expect(paymentSentences.PaymentConfirmed(paid_in_slot, system).slot).toBe(42);
    const failed = payments.PaymentFailed as never as Of<'PaymentFailed'>;
    const failed_in_slot = { ...failed, data: { ...failed.data, slot: 43 } };
    expect(paymentSentences.PaymentFailed(failed_in_slot, system).slot).toBe(43);
  });

  test('where the money is, up to when it was looked for, and what failed', () => {
    expect(ofPayment('PaymentSettled')?.what).toContain(terms.wallet_address);
    expect(ofPayment('PaymentExpired')?.because).toContain(payments.PaymentExpired.data.watermark);
    expect(ofPayment('PaymentFailed')).toMatchObject({
      transaction_signature: payments.PaymentFailed.data.transaction_signature,
      verdict: payments.PaymentFailed.data.reason,
    });
  });

  test.each([
    ['failed_on_chain', 'does not pay it: it failed, and moved nothing.'],
    ['without_effect', 'does not pay it: it went through, and did not bring what is due.'],
    ['of_a_later_release', 'does not pay it.'],
  ])('how a transaction failed to pay (%s), in words', (reason, words) => {
    const { data } = payments.PaymentFailed as never as Extract<PaymentEvent, { type: 'PaymentFailed' }>;
    const failed = { type: 'PaymentFailed', data: { ...data, reason } } as const;
    const { because } = paymentSentences.PaymentFailed(failed, { actor: 'system:x' });
    expect(because).toContain(words);
  });
});

describe('a receipt says', () => {
  test('what came and why it pays nothing', () => {
    expect(ofReceipt('ReceiptRecorded')).toEqual({
      what: '10.810799 USDC of a transaction at 2026-01-01T00:01:00.000Z was recorded as a receipt.',
      because: 'It is less than what is due, and what several transactions bring is never added up.',
      transaction_signature: 'S3',
      verdict: 'short',
    });
  });

  test('what a mint that is not taken came as', () => {
    const { type, data } = receipts.ReceiptRecorded as ReceiptRecorded;
    const unknown = { type, data: { ...data, token: null, token_mint: 'Fake', slot: 7 } };
    expect(receiptSentences.ReceiptRecorded(unknown, { actor: 'x' })).toMatchObject({
      what: expect.stringContaining('10810799 base units of the mint Fake') as string,
      slot: 7,
    });
  });

  test('what the merchant made of it', () => {
    expect(ofReceipt('ReceiptResolved')).toEqual({
      what: 'The merchant has accepted the receipt of 10.810799 USDC.',
      because: 'Its note: Shipped all the same',
    });
  });
});

describe('a search says', () => {
  const looked = { accounts: ['A1', 'W1'], up_to: '2026-01-01T00:10:00.000Z', look_up_due: false };
  const said = (changes: object) => lookUpSentence(terms, { ...looked, ...changes });

  test('which look-ups found nothing, up to which block time', () => {
    const { because, verdict } = said({});
    expect(verdict).toBe('not_found');
    for (const named of [terms.reference, 'A1 or W1', looked.up_to, 'before the payment was heard of']) {
      expect(because).toContain(named);
    }
  });
  test('which look-up is still due', () => {
    expect(said({ look_up_due: true }).because).toContain('still to be asked for');
  });
  test.each([[null], ['2025-12-31T23:59:59.000Z']])('that it has not begun (%s)', (up_to) => {
    expect(said({ up_to })).toMatchObject({
      verdict: 'not_looked_for',
      what: 'The chain has not been read since the payment was created.',
    });
  });
  test('that the payment was not heard of', () => {
    expect(lookUpSentence(terms, null).verdict).toBe('not_looked_for');
  });
});
