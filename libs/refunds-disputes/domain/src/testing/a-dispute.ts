import type { OpenDispute, ResolveDispute, RespondToDispute } from '../decide-dispute';
import type { DisputeTerms } from '../dispute';
import { NOW, PAYMENT, wish } from './a-refund';

/** The id of a dispute, a number for each. */
export const disputeId = (number = 1): string =>
  `0190a1b2-c3d4-8e5f-a6b7-${String(number).padStart(10, '0')}d2`;

const terms = (number: number): DisputeTerms => ({
  dispute_id: disputeId(number),
  payment_id: PAYMENT.payment_id,
  merchant_id: PAYMENT.merchant_id,
  mode: PAYMENT.mode,
  dispute_type: 'product_not_received',
  opened_with: `code ${number}`,
  customer_subject: 'customer-7',
  customer_email_sealed: 'sealed e-mail',
  description_sealed: 'sealed words',
  evidence_sealed: 'sealed evidence',
  customer_wallet: PAYMENT.customer_wallet,
  webhook_url: null,
  opened_at: NOW,
});

export const openDispute = (
  number = 1,
  { dispute, ...changes }: Partial<Omit<OpenDispute, 'dispute'>> & { dispute?: Partial<DisputeTerms> } = {},
): OpenDispute => ({
  type: 'OpenDispute',
  dispute: { ...terms(number), ...dispute },
  ...{ payment_status: 'confirmed', named_wallet: null },
  ...changes,
});

export const respond = (number = 1, changes: Partial<RespondToDispute> = {}): RespondToDispute => ({
  type: 'RespondToDispute',
  ...{ dispute_id: disputeId(number), merchant_id: PAYMENT.merchant_id },
  response: { response: 'It was handed over.', evidence: { receipt: '7' }, responded_at: NOW },
  ...changes,
});

/** By an admin, without a refund. */
export const resolve = (number = 1, changes: Partial<ResolveDispute> = {}): ResolveDispute => ({
  type: 'ResolveDispute',
  ...{ dispute_id: disputeId(number), merchant_id: null, resolution: 'closed' },
  ...{ resolved_by: 'admin', notes: 'Withdrawn', refund: null, now: NOW },
  ...changes,
});

/** By its merchant, with a refund. */
export const giveBack = (
  number = 1,
  changes: Parameters<typeof wish>[0] = {},
  payment: Partial<typeof PAYMENT> = {},
): ResolveDispute =>
  resolve(number, {
    ...{ merchant_id: PAYMENT.merchant_id, resolution: 'resolved_customer_favor' },
    ...{ resolved_by: 'merchant', notes: null },
    refund: {
      payment: { ...PAYMENT, ...payment },
      wish: wish({ dispute_id: disputeId(number), ...changes }),
    },
  });
