import { disputeOpened, disputeResolved, disputeResponded } from '@tender/contracts';
import { tells, type Publications } from '@tender/eventing';
import type { DisputeEvent } from '@tender/refunds-disputes-domain';
import { renderDisputeFact } from './render-dispute';

/** The dispute right after the event. */
const disputeAt = (event: DisputeEvent) => ({
  dispute: renderDisputeFact(event),
  webhook_url: event.data.dispute.webhook_url,
});

/** What merchants hear of disputes. */
export const tellsOfDisputes: Publications<DisputeEvent> = {
  DisputeOpened: tells(disputeOpened, disputeAt),
  DisputeResponded: tells(disputeResponded, disputeAt),
  DisputeResolved: tells(disputeResolved, disputeAt),
};
