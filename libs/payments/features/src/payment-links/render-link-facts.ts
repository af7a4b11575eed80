import type { PaymentLinkCreatedFact, PaymentLinkUsedFact } from '@tender/contracts';
import { fromUnits } from '@tender/kernel';
import type { LinkTerms, PaymentLinkUsed } from '@tender/payments-domain';

const CENT_PLACES = 2;

const amountOf = ({ amount_minor }: LinkTerms): number =>
  fromUnits(BigInt(amount_minor), CENT_PLACES);

/** What is said of a new link. */
export const renderLinkCreated = (link: LinkTerms): PaymentLinkCreatedFact => ({
  payment_link_id: link.payment_link_id,
  link_code: link.link_code,
  amount: amountOf(link),
  currency: link.currency,
  token: link.token,
  max_uses: link.max_uses,
  expires_at: link.expires_at,
  hosted_page_url: link.hosted_page_url,
  merchant_id: link.merchant_id,
});

/** What is said of a confirmed payment by a link. */
export const renderLinkUsed = (use: PaymentLinkUsed['data']): PaymentLinkUsedFact => ({
  payment_link_id: use.link.payment_link_id,
  link_code: use.link.link_code,
  payment_id: use.payment_id,
  amount: amountOf(use.link),
  token: use.link.token,
  uses_count: use.uses_count,
  merchant_id: use.link.merchant_id,
});
