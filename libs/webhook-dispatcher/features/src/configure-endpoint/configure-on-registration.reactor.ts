import { Controller, Inject } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { merchantRegistered } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { originOfEvent, Reacts, RUNTIME, type Heard } from '@tender/http';
import { invariant, MODES, type Mode } from '@tender/kernel';
import { endpoint, secretFor } from './endpoint.aggregate';

const CONSUMER = 'webhook-dispatcher.configure-on-registration';

/**
 * The webhook URL of sign-up counts in both modes. A merchant without one gets an endpoint too: by it the
 * planner sees that the merchant is registered.
 */
@Controller()
export class ConfigureOnRegistration {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Reacts(CONSUMER, [merchantRegistered])
  async react(@Payload() batch: readonly Heard<typeof merchantRegistered>[]): Promise<void> {
    for (const event of batch) {
      for (const mode of MODES) await this.open(event, mode);
    }
  }

  private async open(event: Heard<typeof merchantRegistered>, mode: Mode): Promise<void> {
    const { merchant_id, webhook_url: url } = event.data;
    const origin = originOfEvent(event, CONSUMER);
    const { command_id } = origin;
    const at = this.runtime.clock.now();
    const secret = secretFor(this.runtime, mode, merchant_id, { command_id, at });
    const command = { type: 'OpenEndpoint', url, secret, at } as const;
    const opened = await endpoint.handle(this.runtime, mode, merchant_id, command, origin);
    invariant(opened.ok, 'an endpoint opens whatever its state');
  }
}
