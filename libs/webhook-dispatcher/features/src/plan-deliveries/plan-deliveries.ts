import { eventIdOf } from '@tender/contracts';
import { rowSource, type KeyRing, type PublicEvent, type Runtime, type Sql } from '@tender/eventing';
import { invariant, type Mode } from '@tender/kernel';
import type { ShownEndpoint } from '../endpoint-view/endpoint-row';
import { merchantKey } from '../merchant-in-mode';
import { deliveryIdOf, endpointIdOf, formerEventId } from './delivery-ids';
import { takeCursors, takeVersions } from './take-numbers';
import { bodyOf, webhookOf, type Webhook } from './webhook-of';

/** A webhook of this batch, with the id that it has for good. */
interface AddressedWebhook {
  readonly message: PublicEvent<object>;
  readonly webhook: Webhook;
  readonly mode: Mode;
  readonly merchant_id: string;
  readonly event_id: string;
}

export type Endpoints = ReadonlyMap<string, ShownEndpoint>;

const KNOWN_EVENTS = `
  select event_id from webhook_dispatcher.merchant_events where event_id = any($1)`;

const EVENTS = rowSource({
  event_id: 'text',
  mode: 'text',
  merchant_id: 'text',
  cursor: 'bigint',
  event_type: 'text',
  body: 'text',
});
const INSERT_EVENTS = `
  insert into webhook_dispatcher.merchant_events (${EVENTS.columns}) select * from ${EVENTS.sql}`;

const DELIVERIES = rowSource({
  id: 'text',
  mode: 'text',
  merchant_id: 'text',
  event_id: 'text',
  event_type: 'text',
  payment_id: 'text',
  resource_id: 'text',
  resource_version: 'integer',
  url: 'text',
  own_url: 'boolean',
  endpoint_id: 'text',
  correlation_id: 'text',
  created_at: 'bigint',
});
const INSERT_DELIVERIES = `
  with planned as (
    insert into webhook_dispatcher.deliveries (${DELIVERIES.columns}, status, attempts)
    select ${DELIVERIES.columns}, 'pending', 0 from ${DELIVERIES.sql}
    on conflict (id) do nothing
    returning id, endpoint_id, mode, merchant_id, resource_id, resource_version, created_at
  ), queued as (
    insert into webhook_dispatcher.queued_deliveries
      (delivery_id, endpoint_id, lane, due_at, resource_id, resource_version)
    select id, endpoint_id, 0, created_at, resource_id, resource_version from planned
  )
  insert into webhook_dispatcher.endpoint_queue as queue (endpoint_id, lane, mode, merchant_id, due_at)
  select distinct endpoint_id, 0, mode, merchant_id, created_at from planned order by endpoint_id
  on conflict (endpoint_id, lane) do update set due_at = least(queue.due_at, excluded.due_at)`;

/** What a batch tells, and whom. */
export const webhooksOf = (
  keyRing: KeyRing,
  batch: readonly PublicEvent<object>[],
): AddressedWebhook[] =>
  batch.map((message) => {
    const webhook = webhookOf(message);
    const { mode } = message;
    invariant(mode !== 'all', 'what merchants hear of happened in one mode');
    const event_id = eventIdOf(keyRing, mode, message.id);
    return { message, webhook, mode, merchant_id: webhook.merchant_id, event_id };
  });

/**
 * Writes the merchants' event log and one delivery per event that has a URL to go to, in the
 * transaction that also moves the planner's checkpoint. A handful of statements per batch. Returns the
 * number of deliveries.
 */
export async function planDeliveries(
  { keyRing, clock }: Pick<Runtime, 'keyRing' | 'clock'>,
  tx: Sql,
  webhooks: readonly AddressedWebhook[],
  endpoints: Endpoints,
): Promise<number> {
  const planned = await withoutKnown(tx, webhooks);
  if (planned.length === 0) return 0;

  const cursors = await takeCursors(tx, planned);
  const versions = await takeVersions(
    tx,
    planned.map(({ webhook }) => webhook.resource_id),
  );
  const events = planned.map(({ event_id, mode, merchant_id, webhook, message }, index) => {
    const resource_version = versions[index] as number;
    const made = { id: event_id, resource_version, timestamp: message.occurred_at };
    const [cursor, body] = [cursors[index], bodyOf(webhook, made)];
    return { event_id, mode, merchant_id, cursor, event_type: webhook.event, body };
  });
  await tx.query(INSERT_EVENTS, EVENTS.valuesOf(events));

  const created_at = clock.now();
  const deliveries = planned.flatMap((plan, index) => {
    const { message, webhook, mode, merchant_id, event_id } = plan;
    const url = webhook.webhook_url ?? endpoints.get(merchantKey(plan))?.url ?? null;
    if (url === null) return [];
    return {
      id: deliveryIdOf(keyRing, mode, event_id, url),
      mode,
      merchant_id,
      event_id,
      event_type: webhook.event,
      payment_id: webhook.payment_id,
      resource_id: webhook.resource_id,
      resource_version: versions[index],
      url,
      own_url: webhook.webhook_url !== null,
      endpoint_id: endpointIdOf(mode, merchant_id, url),
      correlation_id: message.correlation_id,
      created_at,
    };
  });
  if (deliveries.length > 0) {
    await tx.query(INSERT_DELIVERIES, DELIVERIES.valuesOf(deliveries));
  }
  return deliveries.length;
}

/** A bus may deliver an event twice, also before an upgrade and after it; an event takes its numbers once. */
async function withoutKnown(
  tx: Sql,
  webhooks: readonly AddressedWebhook[],
): Promise<readonly AddressedWebhook[]> {
  const distinct = [...new Map(webhooks.map((told) => [told.event_id, told])).values()];
  const rows = await tx.query<{ event_id: string }>(KNOWN_EVENTS, [
    distinct.flatMap(({ event_id }) => [event_id, formerEventId(event_id)]),
  ]);
  if (rows.length === 0) return distinct;
  const known = new Set(rows.map(({ event_id }) => formerEventId(event_id)));
  return distinct.filter(({ event_id }) => !known.has(formerEventId(event_id)));
}

