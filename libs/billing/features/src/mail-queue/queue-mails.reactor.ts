import { Controller, Inject } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import type { PublicEvent, Runtime } from '@tender/eventing';
import { Reacts, RUNTIME, type Delivery } from '@tender/http';
import { MAILED_FACTS } from '../mails/mailed-facts';
import { queueMails } from './queued-mail.record';

/** Mails follow the log through a queue of their own: no request waits for one, and a rebuild sends none. */
@Controller()
export class QueueMailsReactor {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Reacts('billing.queue-mails', MAILED_FACTS)
  async react(
    @Payload() batch: readonly PublicEvent<object>[],
    @Ctx() { tx }: Delivery,
  ): Promise<void> {
    await queueMails(tx, batch, this.runtime.clock.now());
  }
}
