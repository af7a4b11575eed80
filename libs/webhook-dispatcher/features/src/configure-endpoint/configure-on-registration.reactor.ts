import { Controller, Inject } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { merchantRegistered } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { originOfEvent, Reacts, RUNTIME, type Heard } from '@tender/http';
import { invariant, MODES } from '@tender/kernel';
import { handleEndpoint } from './configure-endpoint';

const CONSUMER = 'webhook-dispatcher.configure-on-registration';

/**
 * The webhook URL of sign-up counts in both modes. A merchant without one gets its endpoint too: the
 * planner then knows that it has heard of the merchant.
 */
@Controller()
export class ConfigureOnRegistration {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Reacts(CONSUMER, [merchantRegistered])
  async react(@Payload() batch: readonly Heard<typeof merchantRegistered>[]): Promise<void> {
    const open = handleEndpoint(this.runtime);
    for (const event of batch) {
      const { merchant_id, webhook_url: url } = event.data;
      for (const mode of MODES) {
        const opened = await open(
          { mode, merchant_id },
          { type: 'OpenEndpoint', url },
          originOfEvent(event, CONSUMER),
        );
        invariant(opened.ok, 'an endpoint opens whatever its state');
      }
    }
  }
}
