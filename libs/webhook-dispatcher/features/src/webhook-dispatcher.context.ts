import type { HostedContext } from '@tender/http';
import { endpoints } from './endpoint-view/endpoints.projection';
import { SCHEMA } from './endpoint-view/endpoints-shown';
import { CreateWebhookDispatcher1763700000000 } from './records/create-webhook-dispatcher.migration';
import { KeepEndpointGenerations1764000000000 } from './records/keep-endpoint-generations.migration';
import { QueueDeliveries1763800000000 } from './records/queue-deliveries.migration';
import { TraceDeliveries1763900000000 } from './records/trace-deliveries.migration';
import { UnindexAttempts1795960000000 } from './records/unindex-attempts.migration';
import { openWebhookDispatcher } from './webhook-dispatcher';
import { WebhookDispatcherModule } from './webhook-dispatcher.module';

/**
 * Tells merchants what happened: endpoints (streams), and as primary data the merchants' event log,
 * deliveries and attempts (records). It publishes nothing: no other context hears of its events.
 */
export const webhookDispatcherContext: HostedContext = {
  name: 'webhook-dispatcher',
  schema: SCHEMA,
  migrations: [
    CreateWebhookDispatcher1763700000000,
    QueueDeliveries1763800000000,
    TraceDeliveries1763900000000,
    KeepEndpointGenerations1764000000000,
    UnindexAttempts1795960000000,
  ],
  projections: [endpoints],
  open: openWebhookDispatcher,
  publishes: { categories: [], publish: () => null },
  module: WebhookDispatcherModule,
};
