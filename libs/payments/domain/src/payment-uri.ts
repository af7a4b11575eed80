import { formatUnits, TOKEN_DECIMALS } from '@tender/kernel';
import type { PaymentTerms } from './payment-terms';

/**
 * The Solana Pay transfer request of a payment, for a QR code. `label` is the merchant’s name where it
 * may be shown; it is sealed in the log, so what is made from an event alone leaves it out.
 */
export function paymentUri(terms: PaymentTerms, label: string | null): string {
  const { wallet_address, token, token_amount, token_mint, reference } = terms;
  const fields = [
    ['amount', formatUnits(BigInt(token_amount), TOKEN_DECIMALS[token])],
    ...(token_mint ? [['spl-token', token_mint]] : []),
    ['reference', reference],
    ...(label ? [['label', label]] : []),
    ['message', terms.description || terms.payment_id],
  ];
  const query = fields.map(([name, value]) => `${name}=${encodeURIComponent(value ?? '')}`);
  return `solana:${wallet_address}?${query.join('&')}`;
}
