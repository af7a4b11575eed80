import {
  newId,
  uuidIds,
  type InspectedPayment,
  type OpenDisputeBody,
  type RequestContext,
} from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { invariant, isoTime } from '@tender/kernel';
import type { OpenDispute } from '@tender/refunds-disputes-domain';

/** What the holder of that code asks for, with all that is personal in it sealed as the payment’s customer is. */
export async function newDispute(
  { keyRing, clock }: Pick<Runtime, 'keyRing' | 'clock'>,
  { mode, id_seed }: Pick<RequestContext, 'mode' | 'id_seed'>,
  { payment, customer, webhook_url }: InspectedPayment,
  { dispute_type, description, evidence, customer_wallet }: OpenDisputeBody,
  code_id: string,
): Promise<OpenDispute> {
  invariant(customer, 'a code is right for a payment with an e-mail alone');
  const { subject_id, email_sealed } = customer;
  const sealed = (text: string): Promise<string> => keyRing.sealPersonal(subject_id, text);
  return {
    type: 'OpenDispute',
    dispute: {
      dispute_id: newId(uuidIds, mode, Buffer.from(id_seed, 'hex')),
      payment_id: payment.id,
      merchant_id: payment.merchant_id,
      mode,
      dispute_type,
      opened_with: code_id,
      customer_subject: subject_id,
      customer_email_sealed: email_sealed,
      description_sealed: await sealed(description),
      evidence_sealed: evidence == null ? null : await sealed(JSON.stringify(evidence)),
      customer_wallet: payment.customer_wallet,
      webhook_url,
      opened_at: isoTime(clock.now()),
    },
    payment_status: payment.status,
    named_wallet: customer_wallet ?? null,
  };
}
