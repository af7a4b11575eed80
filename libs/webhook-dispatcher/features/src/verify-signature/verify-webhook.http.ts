import { Body, Controller, Inject } from '@nestjs/common';
import {
  verifyWebhook,
  type RequestContext,
  type VerifyWebhookAnswer,
  type VerifyWebhookBody,
} from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { Caller, RUNTIME, Serves } from '@tender/http';
import { signingSecrets } from '@tender/webhook-dispatcher-domain';
import { readEndpoint } from '../endpoint-view/endpoint-row';
import { openSecret } from '../sign-delivery/webhook-secret';
import { verifySignature } from './verify-signature';

@Controller()
export class VerifyWebhookHttp {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Serves(verifyWebhook)
  async verify(
    @Caller() caller: RequestContext,
    @Body() { payload, signature }: VerifyWebhookBody,
  ): Promise<VerifyWebhookAnswer> {
    const { readModels, keyRing, clock } = this.runtime;
    const { mode, merchant_id } = caller;
    const endpoint = await readEndpoint(readModels, caller);
    const secrets = (endpoint ? signingSecrets(endpoint, clock.now()) : []).map((sealed) =>
      openSecret(keyRing, mode, merchant_id, sealed),
    );
    return verifySignature(signature, payload, secrets, clock.wall());
  }
}
