import type { CustomerAnswer, PaymentLinkAnswer } from '@tender/contracts';
import { fromUnits } from '@tender/kernel';
import { linkStatusAt, usesTaken, type KnownPaymentLink } from '@tender/payments-domain';

const CENT_PLACES = 2;

export interface ShownWith {
  /** Of a link without `max_uses`; the others count themselves. */
  readonly uses: number;
  readonly customer: CustomerAnswer | null;
  /** ISO 8601, business time. */
  readonly now: string;
  /** The merchant sees its metadata; no one else does. */
  readonly to_owner: boolean;
}

/** A payment link as clients see it. */
export function renderPaymentLink(
  link: KnownPaymentLink,
  { uses, customer, now, to_owner }: ShownWith,
): PaymentLinkAnswer {
  const { terms, updated_at } = link;
  const status = linkStatusAt(link, now);
  return {
    id: terms.payment_link_id,
    link_code: terms.link_code,
    description: terms.description,
    amount: fromUnits(BigInt(terms.amount_minor), CENT_PLACES),
    currency: terms.currency,
    token: terms.token,
    hosted_page_url: terms.hosted_page_url,
    payment_url: terms.hosted_page_url,
    max_uses: terms.max_uses,
    uses_count: terms.max_uses === null ? uses : usesTaken(link),
    expires_at: terms.expires_at,
    is_active: status === 'active',
    status,
    onramp: false,
    payer_service_charge: false,
    collect_customer_info: terms.collect_customer_info,
    customer_data: customer,
    external_id: terms.external_id,
    return_url: terms.return_url,
    cancel_url: terms.cancel_url,
    split_recipients: [],
    mode: terms.mode,
    created_at: terms.created_at,
    updated_at,
    ...(to_owner ? { metadata: terms.metadata } : {}),
  };
}
