import { Controller, Inject } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { invoiceCancelled, invoicePaid } from '@tender/contracts';
import { aFewAtATime, type Runtime } from '@tender/eventing';
import { Reacts, RUNTIME, type Heard } from '@tender/http';
import type { Mode } from '@tender/kernel';
import type { KnownInvoice } from '@tender/billing-domain';
import { closeLink } from '../charges/close-link';
import { invoice } from '../invoices/invoice.aggregate';
import { openInvoiceLink } from '../send-invoice/invoice-link';

const CONSUMER = 'billing.close-invoice-link';

type Ended = Heard<typeof invoicePaid | typeof invoiceCancelled>;

/** What is paid or cancelled is paid no more, however many uses its link has left. */
@Controller()
export class CloseInvoiceLinkReactor {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Reacts(CONSUMER, [invoicePaid, invoiceCancelled])
  async react(@Payload() batch: readonly Ended[]): Promise<void> {
    await aFewAtATime(batch, (event) => this.close(event));
  }

  private async close({ data, correlation_id, ...event }: Ended): Promise<void> {
    const { invoice_id, merchant_id } = data.invoice;
    const mode = event.mode as Mode;
    const ended = await invoice.load(this.runtime, mode, invoice_id);
    const link = ended && (ended.link ?? (await this.unsentLink(ended, correlation_id)));
    if (!link) return;
    await closeLink(this.runtime, { mode, merchant_id, correlation_id }, link.payment_link_id);
  }

  /**
   * One that was asked for when a process died, or is being opened now: opened once more, so that it is there to be
   * closed whichever comes first. Null where payments refuses it.
   */
  private async unsentLink(ended: KnownInvoice, correlation_id: string) {
    if (ended.asked_link_id == null) return null;
    const opened = await openInvoiceLink(this.runtime, ended, correlation_id);
    return opened.ok ? opened.value : null;
  }
}
