import { newLeaseOwner, OfLeader, type Runtime } from '@tender/eventing';
import type { OpenContext } from '@tender/http';
import { AttemptsByHand } from './attempts-by-hand/attempts-by-hand';
import { KnownEndpoints } from './plan-deliveries/known-endpoints';
import { WebhookSender } from './send-deliveries/webhook-sender.worker';

/** Holds what the planner and the sender use while this process leads: `OfLeader<WebhookDispatcher>`. */
export const WEBHOOK_DISPATCHER = Symbol('webhook dispatcher');
/** The name under which the routes of this process lease what they attempt by hand: `string`. */
export const LEASE_OWNER = Symbol('lease owner');
/** What the routes of this process attempt at once: `AttemptsByHand`. */
export const ATTEMPTS_BY_HAND = Symbol('attempts by hand');

export interface WebhookDispatcher {
  readonly sender: WebhookSender;
  readonly endpoints: KnownEndpoints;
}

/** What the planner, the routes and the sender share in one process. */
export function openWebhookDispatcher(runtime: Runtime): Required<OpenContext> {
  const newOwner = (): string => newLeaseOwner(runtime.random.uuid());
  const routes_owner = newOwner();
  const leading = new OfLeader<WebhookDispatcher>('webhook dispatcher');
  return {
    providers: [
      { provide: WEBHOOK_DISPATCHER, useValue: leading },
      { provide: LEASE_OWNER, useValue: routes_owner },
      { provide: ATTEMPTS_BY_HAND, useValue: new AttemptsByHand() },
    ],
    beginTerm() {
      // A new name: what an earlier term still writes of its attempts must not count for those of this one.
      const sender = new WebhookSender(runtime, newOwner(), routes_owner);
      leading.begin({ sender, endpoints: new KnownEndpoints(runtime.clock) });
      return { workers: [sender], hearing: {}, end: () => leading.end() };
    },
  };
}
