import { Controller, Inject } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { subscriptionCancelled, subscriptionPaused } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { Reacts, RUNTIME, type Heard } from '@tender/http';
import { aFewAtATime } from '../charges/a-few-at-a-time';
import { linksOfPart } from '../charges/charges.projection';
import { closeLink } from '../charges/close-charges';
import { payableLink } from './payable-link';

const CONSUMER = 'billing.drop-charges';

type Stopped = Heard<typeof subscriptionCancelled | typeof subscriptionPaused>;

/** Nothing is charged after a cancel, nor in a pause. A payment that has begun goes on: its money counts. */
@Controller()
export class DropChargesReactor {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Reacts(CONSUMER, [subscriptionCancelled, subscriptionPaused])
  async react(@Payload() batch: readonly Stopped[]): Promise<void> {
    await aFewAtATime(batch, (event) => this.drop(event));
  }

  /** Every period before the current one is paid, so that the first unpaid one is the one after them. */
  private async drop({ data, correlation_id }: Stopped): Promise<void> {
    const { id: object_id, cycles_completed } = data.subscription;
    const part = cycles_completed + 1;
    const links = await linksOfPart(this.runtime, data.mode, { object_id, part });
    // Charged since, as the pause is over by now. Looked up after the links: none is newer.
    const payable = await payableLink(this.runtime, data.mode, object_id);
    for (const link of links) {
      if (link === payable?.payment_link_id) continue;
      await closeLink(this.runtime, { ...data, correlation_id }, link);
    }
  }
}
