import { Controller, Inject } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { webhookFacts } from '@tender/contracts';
import type { PublicEvent, Runtime } from '@tender/eventing';
import { Reacts, RUNTIME, type Delivery } from '@tender/http';
import { WebhookSender } from '../send-deliveries/webhook-sender.worker';
import { KnownEndpoints } from './known-endpoints';
import { ownersOf, planDeliveries } from './plan-deliveries';

@Controller()
export class PlanDeliveries {
  private readonly endpoints: KnownEndpoints;

  constructor(
    @Inject(RUNTIME) private readonly runtime: Runtime,
    @Inject(WebhookSender) private readonly sender: WebhookSender,
  ) {
    this.endpoints = new KnownEndpoints(runtime.clock);
  }

  @Reacts('webhook-dispatcher.plan-deliveries', webhookFacts)
  async react(
    @Payload() batch: readonly PublicEvent<object>[],
    @Ctx() { tx }: Delivery,
  ): Promise<void> {
    const endpoints = await this.endpoints.of(ownersOf(batch), tx);
    const planned = await planDeliveries(this.runtime, tx, batch, endpoints);
    if (planned > 0) this.sender.expectPlanned();
  }
}
