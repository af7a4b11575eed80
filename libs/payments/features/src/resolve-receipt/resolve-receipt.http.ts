import { Body, Controller, Inject, Param, Res } from '@nestjs/common';
import {
  operatingWallet,
  resolveReceipt,
  type ReceiptAnswer,
  type RequestContext,
  type ResolveReceiptBody,
} from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { accepted, Caller, own, RUNTIME, Serves, type RefusalAnswers } from '@tender/http';
import { isoTime, type RefusalOf } from '@tender/kernel';
import {
  couldGoBack,
  type KnownReceipt,
  type receiptDecider,
  type ResolveReceipt,
} from '@tender/payments-domain';
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
  refund_in_progress: [
    409,
    'refund_in_progress',
    'This money is on its way back. Once that has failed, the receipt can be resolved again.',
  ],
  receipt_not_refundable: [
    409,
    'receipt_not_refundable',
    'This money is in no wallet that Tender signs for, or it is not known who sent it. Send it back from your own wallet, then accept the receipt with a note.',
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
    const known = await own(receipt, this.runtime, caller, id);
    const operating_wallet = action === 'refund' ? await this.operatingWallet(caller, known) : null;
    const { handled } = await receipt.request(this.runtime, caller, () => {
      const resolved_at = isoTime(this.runtime.clock.now());
      const said = { action, note: note ?? null, resolved_at };
      return { id, command: { type: 'ResolveReceipt', ...said, operating_wallet } as const };
    });
    return renderReceipt(accepted(handled, REFUSALS, reply).state);
  }

  /** Treasury is asked only where the answer decides: it opens a wallet where there is none. */
  private async operatingWallet(
    { merchant_id, mode, correlation_id, wallet: own_wallet }: RequestContext,
    known: KnownReceipt,
  ): Promise<string | null> {
    if (!couldGoBack(known) || known.wallet === own_wallet) return null;
    const asking = { mode, correlation_id, command_id: this.runtime.random.uuid() };
    const asked = await this.runtime.calls.ask(operatingWallet, { merchant_id }, asking);
    return asked.ok ? (asked.value?.address ?? null) : null;
  }
}
