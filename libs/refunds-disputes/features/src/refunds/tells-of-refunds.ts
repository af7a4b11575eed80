import { refundCompleted, refundFailed, refundInitiated } from '@tender/contracts';
import { tells, type Publications } from '@tender/eventing';
import { refundAfter, type RefundEvent } from '@tender/refunds-disputes-domain';
import { refundOfFact } from './render-refund';

/** The refund right after the event. */
const refundAt = (event: RefundEvent) => ({
  refund: refundOfFact(refundAfter(event)),
  webhook_url: event.data.refund.webhook_url,
});

/** What merchants hear of refunds. */
export const tellsOfRefunds: Publications<RefundEvent> = {
  RefundInitiated: tells(refundInitiated, (event) => ({
    ...refundAt(event),
    paid_by: event.data.refund.paid_by,
  })),
  // No event is named for it: a merchant reads the status.
  RefundSent: 'private',
  RefundCompleted: tells(refundCompleted, refundAt),
  RefundFailed: tells(refundFailed, refundAt),
};
