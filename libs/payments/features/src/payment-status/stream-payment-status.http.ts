import { Controller, Inject, Param, Res } from '@nestjs/common';
import { streamPaymentStatus, type RequestContext } from '@tender/contracts';
import { Caller, notFound, Serves } from '@tender/http';
import type { FastifyReply } from 'fastify';
import { PaymentStatuses } from './payment-statuses';
import { statusStream } from './status-stream';

const NO_CONTENT = 204;

@Controller()
export class StreamPaymentStatusHttp {
  constructor(@Inject(PaymentStatuses) private readonly statuses: PaymentStatuses) {}

  /** Public, and says what polling says. Sent by hand: Nest would put streams of its own around each. */
  @Serves(streamPaymentStatus)
  async stream(
    @Caller() { last_event_id }: RequestContext,
    @Param('id') id: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const listening = await statusStream(this.statuses, id, last_event_id);
    if (listening === 'no_such_payment') throw notFound();
    if (listening === 'nothing_more') void reply.status(NO_CONTENT).send();
    else void reply.send(listening);
  }
}
