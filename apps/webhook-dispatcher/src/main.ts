import { allRoutes, SPEAKERS } from '@tender/contracts';
import { runService } from '@tender/runtime';
import {
  webhookDispatcherContext,
  WebhookDispatcherModule,
} from '@tender/webhook-dispatcher-features';

/** Tells merchants what happened. */
export const webhookDispatcher = {
  name: 'webhook-dispatcher',
  context: webhookDispatcherContext,
  module: WebhookDispatcherModule,
  routes: allRoutes.filter(({ context }) => context === 'webhook-dispatcher'),
  speakers: SPEAKERS,
  providers: () => [],
};

if (require.main === module) void runService(webhookDispatcher);
