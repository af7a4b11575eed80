import type { Runtime, Worker } from '@tender/eventing';
import { WebhookSender } from './send-deliveries/webhook-sender.worker';

const senders = new WeakMap<Runtime, WebhookSender>();

/** The one sender of this runtime: planner, HTTP and composition root share it. */
export function senderOf(runtime: Runtime): WebhookSender {
  const known = senders.get(runtime);
  if (known) return known;
  const made = new WebhookSender(runtime);
  senders.set(runtime, made);
  return made;
}

/** The loops of this context; the composition root starts and stops them. */
export const workers = (runtime: Runtime): readonly Worker[] => [senderOf(runtime)];
