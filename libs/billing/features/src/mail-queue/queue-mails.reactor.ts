import { Controller, Inject } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import type { PublicEvent, Runtime, StreamName } from '@tender/eventing';
import { Reacts, RUNTIME, type Delivery } from '@tender/http';
import { queueMails, type MailTable } from '@tender/mail';
import { MAILED_FACTS } from '../mails/mailed-facts';

export const MAILS: MailTable = 'billing.mails';

/** Mails follow the log through a queue of their own: no request waits for one, and a rebuild sends none. */
@Controller()
export class QueueMailsReactor {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Reacts('billing.queue-mails', MAILED_FACTS, { mixed: true })
  async react(
    @Payload() batch: readonly PublicEvent<object>[],
    @Ctx() { tx }: Delivery,
  ): Promise<void> {
    // In the transaction that also holds the checkpoint: each is queued once.
    await queueMails(tx, MAILS, batch.map(toldBy), this.runtime.clock.now());
  }
}

/** The key of a fact of billing is the stream that it comes from, and what bills has a merchant. */
const toldBy = ({ causation_id, key, mode, merchant_id, correlation_id }: PublicEvent) => ({
  ...{ event_id: causation_id, stream: key as StreamName, mode, correlation_id },
  merchant_id: merchant_id as string,
});
