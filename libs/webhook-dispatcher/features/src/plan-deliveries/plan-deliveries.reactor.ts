import { Controller, Inject } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { webhookFacts } from '@tender/contracts';
import type { OfLeader, PublicEvent, Runtime } from '@tender/eventing';
import { Reacts, RUNTIME, type Delivery } from '@tender/http';
import { WEBHOOK_DISPATCHER, type WebhookDispatcher } from '../webhook-dispatcher';
import { planDeliveries, webhooksOf } from './plan-deliveries';

@Controller()
export class PlanDeliveries {
  constructor(
    @Inject(RUNTIME) private readonly runtime: Runtime,
    @Inject(WEBHOOK_DISPATCHER) private readonly leading: OfLeader<WebhookDispatcher>,
  ) {}

  @Reacts('webhook-dispatcher.plan-deliveries', webhookFacts, { mixed: true })
  async react(
    @Payload() batch: readonly PublicEvent<object>[],
    @Ctx() { tx }: Delivery,
  ): Promise<void> {
    const { endpoints, sender } = this.leading.now();
    const webhooks = webhooksOf(this.runtime.keyRing, batch);
    const known = await endpoints.of(webhooks, tx);
    const planned = await planDeliveries(this.runtime, tx, webhooks, known);
    if (planned > 0) tx.afterCommit(() => sender.planned());
  }
}
