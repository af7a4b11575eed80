import { Controller, Inject, Param, Res } from '@nestjs/common';
import type { invoiceDecider, RemindInvoice } from '@tender/billing-domain';
import { remindInvoice, type RequestContext, type SendInvoiceAnswer } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import {
  accepted,
  ApiError,
  Caller,
  retryAfter,
  RUNTIME,
  Serves,
  type RefusalAnswers,
} from '@tender/http';
import { isoTime, type Refused, type RefusalOf } from '@tender/kernel';
import type { FastifyReply } from 'fastify';
import { invoice } from '../invoices/invoice.aggregate';
import { MISSING } from '../invoices/invoice-refusals';
import { ownInvoice } from '../invoices/own-invoice';
import { openRecipient } from '../recipients/recipients';
import { renderSent } from './render-sent';

const TOO_MANY = [
  429,
  'too_many_reminders',
  'Its customer was reminded within the hour, or three times in 24 hours. Retry-After says when the next one can go.',
] as const;

const REFUSALS: RefusalAnswers<RefusalOf<typeof invoiceDecider, RemindInvoice>> = {
  ...MISSING,
  invalid_invoice_state: [
    409,
    'invalid_invoice_state',
    'Only an invoice that was sent and is not paid can be sent again. Look at its status.',
  ],
  too_many_reminders: TOO_MANY,
};

@Controller()
export class RemindInvoiceHttp {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  /** By the link that it has. */
  @Serves(remindInvoice)
  async remind(
    @Caller() caller: RequestContext,
    @Param('id') id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SendInvoiceAnswer> {
    const { customer } = await ownInvoice(this.runtime, caller, id);
    const { handled } = await invoice.request(this.runtime, caller, () => ({
      ...{ id, subject_ids: [customer.subject_id] },
      command: { type: 'RemindInvoice', now: isoTime(this.runtime.clock.now()) } as const,
    }));
    refuseTooMany(handled, this.runtime.clock.now());
    const { state } = accepted(handled, REFUSALS, reply);
    return renderSent(state, await openRecipient(this.runtime, customer));
  }
}

/** Throws 429; its details and `Retry-After` say when the next reminder may be sent. */
function refuseTooMany(handled: { readonly ok: true } | Refused<string>, now_ms: number): void {
  const next = handled.ok ? undefined : handled.details?.['next_reminder_at'];
  if (typeof next !== 'string') return;
  throw new ApiError(...TOO_MANY, { next_reminder_at: next }, retryAfter(next, now_ms));
}
