import { Module } from '@nestjs/common';
import { RUNTIME } from '@tender/http';
import { ConfigureOnRegistration } from './configure-endpoint/configure-on-registration.reactor';
import { ConfigureWebhookHttp } from './configure-endpoint/configure-webhook.http';
import { ListWebhooksHttp } from './list-deliveries/list-webhooks.http';
import { ListEventsHttp } from './list-events/list-events.http';
import { PlanDeliveries } from './plan-deliveries/plan-deliveries.reactor';
import { RetryWebhookHttp } from './retry-delivery/retry-webhook.http';
import { WebhookSender } from './send-deliveries/webhook-sender.worker';
import { TestWebhookHttp } from './send-test/test-webhook.http';
import { VerifyWebhookHttp } from './verify-signature/verify-webhook.http';
import { senderOf } from './webhook-dispatcher-workers';

@Module({
  controllers: [
    ConfigureWebhookHttp,
    ConfigureOnRegistration,
    PlanDeliveries,
    ListWebhooksHttp,
    RetryWebhookHttp,
    TestWebhookHttp,
    VerifyWebhookHttp,
    ListEventsHttp,
  ],
  providers: [{ provide: WebhookSender, useFactory: senderOf, inject: [RUNTIME] }],
})
export class WebhookDispatcherModule {}
