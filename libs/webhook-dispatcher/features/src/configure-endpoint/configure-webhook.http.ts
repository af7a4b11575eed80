import { Body, Controller, Inject, Res } from '@nestjs/common';
import {
  configureWebhook,
  type ConfigureWebhookBody,
  type RequestContext,
  type WebhookConfigurationAnswer,
} from '@tender/contracts';
import { Unavailable, type OfLeader, type Position, type Runtime } from '@tender/eventing';
import { accepted, ApiError, Caller, invalidParameter, RUNTIME, Serves } from '@tender/http';
import { invariant } from '@tender/kernel';
import type { FastifyReply } from 'fastify';
import { openSecret } from '../sign-delivery/webhook-secret';
import { endpointsShown } from '../endpoint-view/endpoints-shown';
import { WEBHOOK_DISPATCHER, type WebhookDispatcher } from '../webhook-dispatcher';
import { endpoint, secretFor } from './endpoint.aggregate';

const FIELD = 'webhook_url';

@Controller()
export class ConfigureWebhookHttp {
  constructor(
    @Inject(RUNTIME) private readonly runtime: Runtime,
    @Inject(WEBHOOK_DISPATCHER) private readonly leading: OfLeader<WebhookDispatcher>,
  ) {}

  /** A repeat of the request shows the same secret again: it is read from what was stored. */
  @Serves(configureWebhook)
  async configure(
    @Caller() caller: RequestContext,
    @Body() body: ConfigureWebhookBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<WebhookConfigurationAnswer> {
    const { webhook_url: url } = body;
    if (url === undefined) throw missing();
    const reason = url === null ? null : await this.runtime.outbound.refusal(url);
    if (reason !== null) throw invalidParameter({ field: FIELD, message: reason });

    const { mode, merchant_id } = caller;
    const { handled } = await endpoint.request(this.runtime, caller, ({ command_id }) => {
      const at = this.runtime.clock.now();
      const sealed = secretFor(this.runtime, mode, merchant_id, { command_id, at });
      const command = { type: 'ConfigureEndpoint', url, secret: sealed, at } as const;
      return { id: merchant_id, command };
    });
    const { state, position } = accepted(handled, {}, reply);
    await this.takesEffect(caller, position);
    const { secret, url: set } = state;
    invariant(secret !== null, 'a configured endpoint has a secret');
    return {
      success: true,
      webhook_url: set,
      webhook_secret: openSecret(this.runtime.keyRing, mode, merchant_id, secret),
      message: set === null ? TURNED_OFF : TURNED_ON,
    };
  }

  /** From then on the planner plans for the new URL, and the sender signs all that it sends with the new secret. */
  private async takesEffect(caller: RequestContext, position: Position | null): Promise<void> {
    if (position === null) return;
    const is_shown = await endpointsShown(this.runtime.readModels, caller.mode, position);
    if (!is_shown) throw new Unavailable('webhook endpoints', { reason: 'they are far behind' });
    await this.leading.current()?.sender.endpointChanged(caller);
  }
}

const TURNED_ON =
  'Events are sent to this URL from now on. Store the secret: it is shown here only. ' +
  'A secret that was shown before signs too for 24 hours.';
const TURNED_OFF =
  'Webhook delivery is off; GET /api/v1/events keeps telling. ' +
  'The secret signs for payments that have a webhook URL of their own.';

const missing = () =>
  new ApiError(400, 'missing_required_field', `${FIELD} is required; null turns delivery off`, {
    fields: [{ field: FIELD, message: 'is required; null turns delivery off' }],
  });
