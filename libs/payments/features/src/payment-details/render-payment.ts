import type { PaymentSnapshot } from '@tender/contracts';
import { fromUnits } from '@tender/kernel';
import { paymentUri, type KnownPayment, type PaymentTerms } from '@tender/payments-domain';

const CENT_PLACES = 2;

/**
 * A payment as clients see it, from a row, a stream or an event alike: all its fields, also those that records of
 * earlier releases lack. `label` is the merchant’s name where the asker may see it.
 */
export function renderPayment(
  payment: KnownPayment,
  label: string | null,
): Required<PaymentSnapshot> {
  const { terms, status, transaction_signature, confirmed_at, customer_wallet } = payment;
  return {
    id: terms.payment_id,
    merchant_id: terms.merchant_id,
    amount: fromUnits(BigInt(terms.amount_minor), CENT_PLACES),
    amount_usd: usdOf(terms),
    currency: terms.currency,
    exchange_rate: exchangeRateOf(terms),
    payment_token: terms.token,
    token_amount: terms.token_amount,
    token_mint: terms.token_mint,
    status,
    description: terms.description,
    payment_url: terms.payment_url,
    qr_code: paymentUri(terms, label),
    reference: terms.reference,
    wallet_address: terms.wallet_address,
    metadata: terms.metadata,
    mode: terms.mode,
    created_at: terms.created_at,
    expires_at: terms.expires_at,
    transaction_signature,
    confirmed_at,
    customer_wallet,
    splits: null,
    external_id: terms.external_id ?? null,
    return_url: terms.return_url ?? null,
    cancel_url: terms.cancel_url ?? null,
    payment_link_id: terms.link?.payment_link_id ?? null,
    link_code: terms.link?.link_code ?? null,
    payment_intent_id: terms.payment_intent_id ?? null,
  };
}

export const usdOf = ({ amount_usd_cents }: PaymentTerms): number =>
  fromUnits(BigInt(amount_usd_cents), CENT_PLACES);

function exchangeRateOf({ quotes, currency }: PaymentTerms): number | null {
  const quote = quotes.find(({ symbol }) => symbol === currency);
  return quote ? Number(quote.rate) : null;
}
