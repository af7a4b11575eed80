import fc from 'fast-check';
import type { PaymentEvent } from './payment';
import type { PaymentTerms } from './payment-terms';
import { paymentUri } from './payment-uri';
import history from './recorded/payment-v1.json';

const { terms } = (history as unknown as Record<string, PaymentEvent>).PaymentCreated!.data;

test('names wallet, amount, mint, reference, label and message', () => {
  expect(paymentUri(terms, 'Corner & Shop')).toBe(
    `solana:${terms.wallet_address}?amount=10.8108&spl-token=${terms.token_mint}` +
      `&reference=${terms.reference}&label=Corner%20%26%20Shop&message=Order%2042`,
  );
});

test('SOL has no mint, and what has no description is called by its id', () => {
  const sol: PaymentTerms = { ...terms, token: 'SOL', token_mint: null, description: null };
  expect(paymentUri({ ...sol, token_amount: '1' }, null)).toBe(
    `solana:${terms.wallet_address}?amount=0.000000001&reference=${terms.reference}` +
      `&message=${terms.payment_id}`,
  );
});

test('an amount never has an exponent', () => {
  fc.assert(
    fc.property(fc.bigInt(1n, 10n ** 18n), (due) => {
      const uri = paymentUri({ ...terms, token_amount: due.toString() }, null);
      expect(/amount=(\d+(\.\d+)?)&/.exec(uri)).not.toBeNull();
    }),
  );
});
