import {
  envelopeOf,
  webhookFacts,
  type EnvelopeContent,
  type EnvelopeHead,
  type FactWebhook,
  type WebhookResource,
} from '@tender/contracts';
import type { PublicEvent } from '@tender/eventing';
import { invariant } from '@tender/kernel';

const WEBHOOKS: ReadonlyMap<string, FactWebhook> = new Map(
  webhookFacts.map(({ type, webhook }) => [type, webhook]),
);

/** One public fact as a webhook, before it has an id and a version. */
export interface Webhook extends WebhookResource {
  readonly event: string;
  readonly content: EnvelopeContent;
}

export function webhookOf({ type, data }: PublicEvent<object>): Webhook {
  const webhook = WEBHOOKS.get(type);
  invariant(webhook, `${type} is a webhook`);
  return { event: webhook.name, ...webhook.tell(data) };
}

/** The body that every attempt sends: frozen once, here. */
export const bodyOf = (
  { event, content }: Webhook,
  made: Omit<EnvelopeHead, 'event'>,
): string => JSON.stringify(envelopeOf({ ...made, event }, content));
