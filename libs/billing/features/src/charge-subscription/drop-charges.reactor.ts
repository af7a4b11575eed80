import { Controller, Inject } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { subscriptionCancelled } from '@tender/contracts';
import { aFewAtATime, type Runtime } from '@tender/eventing';
import { Reacts, RUNTIME, type Heard } from '@tender/http';
import { closeCharges } from '../charges/close-charges';

const CONSUMER = 'billing.drop-charges';

type Cancelled = Heard<typeof subscriptionCancelled>;

/** Nothing is charged after a cancel. A payment that has begun goes on: its money counts. */
@Controller()
export class DropChargesReactor {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Reacts(CONSUMER, [subscriptionCancelled])
  async react(@Payload() batch: readonly Cancelled[]): Promise<void> {
    await aFewAtATime(batch, (event) => this.drop(event));
  }

  /** Every period before the current one is paid, so that the first unpaid one is the one after them. */
  private async drop({ data, correlation_id }: Cancelled): Promise<void> {
    const { id: object_id, cycles_completed } = data.subscription;
    const part = cycles_completed + 1;
    await closeCharges(this.runtime, { ...data, correlation_id }, { object_id, part });
  }
}
