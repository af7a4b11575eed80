import { Controller, Inject } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { subscriptionChargeDue, subscriptionCreated } from '@tender/contracts';
import { aFewAtATime, type Runtime } from '@tender/eventing';
import { Reacts, RUNTIME, type Heard } from '@tender/http';
import { openSubscriptionCharge } from './open-subscription-charge';

const CONSUMER = 'billing.charge-subscription';

type Due = Heard<typeof subscriptionCreated | typeof subscriptionChargeDue>;

/** What is due gets its link, once, however often this is heard. */
@Controller()
export class ChargeSubscriptionReactor {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Reacts(CONSUMER, [subscriptionCreated, subscriptionChargeDue])
  async react(@Payload() batch: readonly Due[]): Promise<void> {
    await aFewAtATime(batch, (event) => this.charge(event));
  }

  private async charge({ data, correlation_id }: Due): Promise<void> {
    const origin = { correlation_id, actor: `system:${CONSUMER}` };
    await openSubscriptionCharge(this.runtime, data, origin);
  }
}
