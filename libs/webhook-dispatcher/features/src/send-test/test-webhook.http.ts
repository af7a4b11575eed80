import { Controller, Inject } from '@nestjs/common';
import {
  deliveryIds,
  envelopeOf,
  eventIds,
  newId,
  testWebhook,
  WEBHOOK_TEST_EVENT,
  type RequestContext,
  type WebhookTestAnswer,
} from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { Caller, RUNTIME, Serves } from '@tender/http';
import { isoTime } from '@tender/kernel';
import type { AttemptsByHand } from '../attempts-by-hand/attempts-by-hand';
import { readEndpoint, type ShownEndpoint } from '../endpoint-view/endpoint-row';
import { endpointIdOf } from '../plan-deliveries/delivery-ids';
import { attemptDelivery, type AttemptResult } from '../send-deliveries/attempt/attempt-delivery';
import type { ClaimedDelivery } from '../send-deliveries/claim/claimed-delivery';
import { LEASE_MS } from '../send-deliveries/leases/leases';
import { recordResults } from '../send-deliveries/record/record-results';
import { cutToBytes } from '../send-deliveries/attempt/shown-response';
import { ATTEMPTS_BY_HAND, LEASE_OWNER } from '../webhook-dispatcher';
import { webhookNotConfigured } from './webhook-not-configured';

/** Of the receiver's answer, in ours. */
const RESPONSE_BYTES_ANSWERED_MAX = 1024;

const INSERT = `
  with planned as (
    insert into webhook_dispatcher.deliveries (id, mode, merchant_id, event_id, event_type, url, own_url,
      endpoint_id, body, correlation_id, status, attempts, created_at)
    values ($1, $2, $3, $4, $5, $6, false, $7, $8, $12, 'pending', 0, $11)
    returning id, endpoint_id, created_at
  )
  insert into webhook_dispatcher.queued_deliveries
    (delivery_id, endpoint_id, lane, due_at, lease_owner, lease_until)
  select id, endpoint_id, 0, created_at, $9, $10 from planned`;

@Controller()
export class TestWebhookHttp {
  constructor(
    @Inject(RUNTIME) private readonly runtime: Runtime,
    @Inject(LEASE_OWNER) private readonly owner: string,
    @Inject(ATTEMPTS_BY_HAND) private readonly by_hand: AttemptsByHand,
  ) {}

  /** The same path and guard as any webhook: a record, one attempt, and its outcome. */
  @Serves(testWebhook)
  async test(@Caller() caller: RequestContext): Promise<WebhookTestAnswer> {
    // One that is refused for want of a place is not counted by its merchant's limit: it must cost next to nothing.
    return this.by_hand.attempt(caller.merchant_id, async () => {
      const { readModels } = this.runtime;
      const endpoint = await readEndpoint(readModels, caller);
      if (!endpoint || endpoint.url === null) throw webhookNotConfigured();
      const { url } = endpoint;
      const claimed = await this.plan(caller, endpoint, url);
      const result = await attemptDelivery(this.runtime, claimed);
      await recordResults(readModels, this.owner, [result]);
      return answerOf(result);
    });
  }

  private async plan(
    { mode, merchant_id, correlation_id }: RequestContext,
    endpoint: ShownEndpoint,
    url: string,
  ): Promise<ClaimedDelivery> {
    const { readModels, clock, random } = this.runtime;
    const id = newId(deliveryIds, mode, random.bytes(16));
    const event_id = newId(eventIds, mode, random.bytes(16));
    const event_type = WEBHOOK_TEST_EVENT;
    const endpoint_id = endpointIdOf(mode, merchant_id, url);
    const now = clock.now();
    const body = JSON.stringify(
      envelopeOf({ event: event_type, id: event_id, resource_version: 1, timestamp: isoTime(now) }),
    );
    await readModels.query(INSERT, [
      id,
      mode,
      merchant_id,
      event_id,
      event_type,
      url,
      endpoint_id,
      body,
      this.owner,
      clock.wall() + LEASE_MS,
      now,
      correlation_id,
    ]);
    return {
      id,
      mode,
      merchant_id,
      event_type,
      url,
      own_url: false,
      endpoint_id,
      attempts: 0,
      body,
      correlation_id,
      created_at: now,
      endpoint,
    };
  }
}

function answerOf(result: AttemptResult): WebhookTestAnswer {
  const { status, response_code, response_body, unanswered, attempt } = result;
  const success = status === 'delivered';
  return {
    success,
    status_code: response_code,
    response_time_ms: attempt?.duration_ms ?? 0,
    response_body:
      response_body === null ? null : cutToBytes(response_body, RESPONSE_BYTES_ANSWERED_MAX),
    message: messageOf(success, response_code, unanswered),
  };
}

function messageOf(success: boolean, code: number | null, unanswered: string | null): string {
  if (success) return `The endpoint accepted the test event with ${code}.`;
  if (code !== null) return `The endpoint answered ${code}; only 2xx counts as delivered.`;
  return `The test event was not delivered. ${unanswered ?? ''}`.trim();
}
