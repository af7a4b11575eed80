import {
  sealedJson,
  sealedText,
  type DisputeAnswer,
  type DisputeSnapshot,
  type ShownDispute,
} from '@tender/contracts';
import type { KeyRing } from '@tender/eventing';
import { disputeAfter, type Dispute, type DisputeEvent } from '@tender/refunds-disputes-domain';

type Unsealed = Omit<ShownDispute, 'customer_email' | 'description' | 'evidence'>;

/** The parts that are not sealed. */
function unsealed({ terms, status, response, resolved }: Dispute): Unsealed {
  return {
    id: terms.dispute_id,
    payment_id: terms.payment_id,
    refund_id: resolved?.refund_id ?? null,
    merchant_id: terms.merchant_id,
    customer_wallet: terms.customer_wallet,
    dispute_type: terms.dispute_type,
    status,
    response: response?.response ?? null,
    response_evidence: response?.evidence ?? null,
    responded_at: response?.responded_at ?? null,
    resolution_notes: resolved?.notes ?? null,
    resolved_by: resolved?.resolved_by ?? null,
    opened_at: terms.opened_at,
    resolved_at: resolved?.resolved_at ?? null,
  };
}

/** As answers show it. What was sealed is null once the customer was erased. */
export async function renderDispute(
  { openPersonal }: Pick<KeyRing, 'openPersonal'>,
  dispute: Dispute,
): Promise<DisputeAnswer> {
  const { customer_subject, customer_email_sealed, description_sealed, evidence_sealed } =
    dispute.terms;
  const opened = (sealed: string | null): Promise<string | null> =>
    sealed === null ? Promise.resolve(null) : openPersonal(customer_subject, sealed);
  const [customer_email, description, evidence] = await Promise.all(
    [customer_email_sealed, description_sealed, evidence_sealed].map(opened),
  );
  return {
    ...unsealed(dispute),
    customer_email: customer_email ?? null,
    description: description ?? null,
    evidence: evidence == null ? null : (JSON.parse(evidence) as object),
  };
}

/** As public events tell it: as it is right after the event, with what is the customer’s sealed. */
export function renderDisputeFact(event: DisputeEvent): DisputeSnapshot {
  const dispute = disputeAfter(event);
  const { customer_subject, customer_email_sealed, description_sealed, evidence_sealed } =
    dispute.terms;
  return {
    ...unsealed(dispute),
    customer_email: sealedText(customer_subject, customer_email_sealed),
    description: sealedText(customer_subject, description_sealed),
    evidence: evidence_sealed === null ? null : sealedJson(customer_subject, evidence_sealed),
  };
}
