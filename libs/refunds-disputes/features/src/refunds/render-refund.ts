import { sealedText, type RefundSnapshot } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { fromUnits } from '@tender/kernel';
import type { Refund, RefundTerms } from '@tender/refunds-disputes-domain';

const CENT_PLACES = 2;

/** A refund as its merchant sees it; without the e-mail of a customer who was erased. */
export const renderRefund = async (
  { keyRing }: Pick<Runtime, 'keyRing'>,
  refund: Refund,
): Promise<RefundSnapshot> =>
  rendered(refund, await ofCustomer(refund.terms, (...sealed) => keyRing.openPersonal(...sealed)));

/** The same in public events, with its customer sealed. */
export const refundOfFact = (refund: Refund): RefundSnapshot =>
  rendered(refund, ofCustomer(refund.terms, sealedText));

/** Null where no e-mail is known. */
function ofCustomer<Email>(
  { customer_subject, customer_email_sealed }: RefundTerms,
  read: (subject_id: string, sealed: string) => Email,
): Email | null {
  const is_known = customer_subject !== null && customer_email_sealed !== null;
  return is_known ? read(customer_subject, customer_email_sealed) : null;
}

function rendered(refund: Refund, customer_email: string | null): RefundSnapshot {
  const { terms, status, transaction_signature, failure_reason, completed_at } = refund;
  const amount_usd = fromUnits(BigInt(terms.amount_usd_cents), CENT_PLACES);
  return {
    id: terms.refund_id,
    payment_id: terms.payment_id,
    merchant_id: terms.merchant_id,
    amount: amount_usd,
    amount_usd,
    status,
    reason: terms.reason,
    metadata: terms.metadata,
    initiated_by: terms.initiated_by,
    token: terms.token,
    token_amount: terms.token_amount,
    transaction_signature,
    customer_wallet: terms.customer_wallet,
    customer_email,
    failure_reason,
    dispute_id: terms.dispute_id,
    estimated_completion: terms.estimated_completion,
    created_at: terms.created_at,
    completed_at,
  };
}
