import { Controller, Inject, Param } from '@nestjs/common';
import { retryWebhook, type RequestContext, type WebhookDelivery } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { ApiError, Caller, notFound, RUNTIME, Serves } from '@tender/http';
import { invariant } from '@tender/kernel';
import { isRetryable } from '@tender/webhook-dispatcher-domain';
import type { AttemptsByHand } from '../attempts-by-hand/attempts-by-hand';
import { readEndpoint } from '../endpoint-view/endpoint-row';
import { readDelivery, webhookDeliveryOf, type DeliveryRow } from '../list-deliveries/delivery-row';
import { endpointIdOf } from '../plan-deliveries/delivery-ids';
import { attemptDelivery } from '../send-deliveries/attempt/attempt-delivery';
import { recordResults } from '../send-deliveries/record/record-results';
import { webhookNotConfigured } from '../send-test/webhook-not-configured';
import { ATTEMPTS_BY_HAND, LEASE_OWNER } from '../webhook-dispatcher';
import { claimForRetry } from './claim-for-retry';

@Controller()
export class RetryWebhookHttp {
  constructor(
    @Inject(RUNTIME) private readonly runtime: Runtime,
    @Inject(LEASE_OWNER) private readonly owner: string,
    @Inject(ATTEMPTS_BY_HAND) private readonly by_hand: AttemptsByHand,
  ) {}

  /** To the URL that is configured now (a payment's own URL stays its own); the attempt number goes on. */
  @Serves(retryWebhook)
  async retry(@Caller() caller: RequestContext, @Param('id') id: string): Promise<WebhookDelivery> {
    const { readModels } = this.runtime;
    const known = await readDelivery(readModels, caller, id);
    if (!known) throw notFound();
    if (!isRetryable(known.status)) throw notRetryable(known);

    const url = known.own_url ? known.url : (await readEndpoint(readModels, caller))?.url;
    if (!url) throw webhookNotConfigured();
    await this.by_hand.attempt(caller.merchant_id, () => this.attempt(caller, known, url));
    const after = await readDelivery(readModels, caller, id);
    invariant(after, 'a delivery stays');
    return webhookDeliveryOf(this.runtime, after);
  }

  private async attempt(
    { mode, merchant_id }: RequestContext,
    known: DeliveryRow,
    url: string,
  ): Promise<void> {
    const { readModels, clock } = this.runtime;
    const claimed = await claimForRetry(readModels, {
      id: known.id,
      url,
      endpoint_id: endpointIdOf(mode, merchant_id, url),
      owner: this.owner,
      now: clock.now(),
      wall: clock.wall(),
    });
    if (!claimed) throw notRetryable(known);
    const result = await attemptDelivery(this.runtime, claimed);
    await recordResults(readModels, this.owner, [result]);
  }
}

const notRetryable = ({ status }: DeliveryRow): ApiError =>
  new ApiError(
    409,
    'delivery_not_retryable',
    'This delivery has arrived or is on its way. Only failed and exhausted ones can be retried.',
    { status },
  );
