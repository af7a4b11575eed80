import { Body, Controller, Inject, Param, Res } from '@nestjs/common';
import {
  resolveReceipt,
  type ReceiptAnswer,
  type RequestContext,
  type ResolveReceiptBody,
} from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { accepted, Caller, own, RUNTIME, Serves, type RefusalAnswers } from '@tender/http';
import { isoTime, type RefusalOf } from '@tender/kernel';
import type { receiptDecider, ResolveReceipt } from '@tender/payments-domain';
import type { FastifyReply } from 'fastify';
import { receipt } from '../receipts/receipt.aggregate';
import { renderReceipt } from '../receipts/render-receipt';

const REFUSALS: RefusalAnswers<RefusalOf<typeof receiptDecider, ResolveReceipt>> = {
  receipt_unknown: [404, 'not_found', 'There is no such resource.'],
  receipt_already_resolved: [
    409,
    'receipt_already_resolved',
    'This receipt was resolved before, and a resolution is final.',
  ],
  receipt_not_refundable: [
    409,
    'receipt_not_refundable',
    'This money is in no wallet that Tender signs for. Send it back from your own wallet, then accept the receipt with a note.',
  ],
};

@Controller()
export class ResolveReceiptHttp {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Serves(resolveReceipt)
  async resolve(
    @Caller() caller: RequestContext,
    @Param('id') id: string,
    @Body() { action, note }: ResolveReceiptBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ReceiptAnswer> {
    await own(receipt, this.runtime, caller, id);
    const { handled } = await receipt.request(this.runtime, caller, () => {
      const resolved_at = isoTime(this.runtime.clock.now());
      return {
        id,
        command: { type: 'ResolveReceipt', action, note: note ?? null, resolved_at } as const,
      };
    });
    return renderReceipt(accepted(handled, REFUSALS, reply).state);
  }
}
