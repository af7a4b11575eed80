import type { RefusalAnswers } from '@tender/http';
import type { RefundRefusal } from '@tender/refunds-disputes-domain';

/** For every request that begins a refund. */
export const REFUND_REFUSAL_ANSWERS: RefusalAnswers<RefundRefusal> = {
  payment_not_refundable: [
    409,
    'payment_not_refundable',
    'This payment is not confirmed, its money is held, or its payer is not known. Cancel the intent of held money.',
  ],
  refund_in_progress: [
    409,
    'refund_in_progress',
    'Another refund of this payment has not ended. Wait until it is completed or has failed.',
  ],
  payment_already_refunded: [409, 'payment_already_refunded', 'All of this payment was refunded.'],
  refund_amount_exceeds_remaining: [
    422,
    'refund_amount_exceeds_remaining',
    'This is more than is left to refund. Refund at most `details.remaining_usd`.',
  ],
  refund_below_base_unit: [
    422,
    'validation_failed',
    'At the rate of the payment this is less than the smallest unit of its token. Refund more.',
  ],
};
