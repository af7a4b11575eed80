import { Module } from '@nestjs/common';
import { ConfigureOnRegistration } from './configure-endpoint/configure-on-registration.reactor';
import { ConfigureWebhookHttp } from './configure-endpoint/configure-webhook.http';
import { ListWebhooksHttp } from './list-deliveries/list-webhooks.http';
import { ListEventsHttp } from './list-events/list-events.http';
import { PlanDeliveries } from './plan-deliveries/plan-deliveries.reactor';
import { RetryWebhookHttp } from './retry-delivery/retry-webhook.http';
import { TestWebhookHttp } from './send-test/test-webhook.http';
import { VerifyWebhookHttp } from './verify-signature/verify-webhook.http';

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
})
export class WebhookDispatcherModule {}
