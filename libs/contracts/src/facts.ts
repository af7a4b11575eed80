import { allFacts, type AnyFact } from './catalogue';
import type { DataOf, Fact, FactWebhook } from './fact';

/** Public type → its data. */
export type PublicFacts = {
  readonly [One in AnyFact as One['type']]: DataOf<One>;
};
export type PublicType = keyof PublicFacts;

/** A fact that merchants hear of. */
export type WebhookFact = Extract<AnyFact, { readonly webhook: FactWebhook }>;
export type WebhookEventName = WebhookFact['webhook']['name'];

const isWebhook = (fact: Fact): fact is WebhookFact => fact.webhook !== null;

export const webhookFacts: readonly WebhookFact[] = allFacts.filter(isWebhook);

/** Every webhook that is sent so far; `GET /events?types=` takes these names. */
export const WEBHOOK_EVENTS: readonly WebhookEventName[] = webhookFacts.map(
  ({ webhook }) => webhook.name,
);
