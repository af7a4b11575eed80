import { Controller, Inject } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { invoiceDrafted } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { Reacts, RUNTIME, type Heard } from '@tender/http';
import { invoice } from '../invoices/invoice.aggregate';
import { InvoiceNumbers } from '../invoices/invoice-numbers';

const CONSUMER = 'billing.number-drafts';

type Drafted = Heard<typeof invoiceDrafted>;

/** The process that has drafted an invoice may die before it has its number: none is left without. */
@Controller()
export class NumberDraftsReactor {
  constructor(
    @Inject(RUNTIME) private readonly runtime: Runtime,
    private readonly numbers: InvoiceNumbers,
  ) {}

  @Reacts(CONSUMER, [invoiceDrafted])
  async react(@Payload() batch: readonly Drafted[]): Promise<void> {
    await Promise.all(batch.map((event) => this.number(event)));
  }

  private async number({ data, correlation_id }: Drafted): Promise<void> {
    const under_way = this.numbers.underWay(data.invoice_id);
    if (under_way) return under_way;
    const draft = await invoice.load(this.runtime, data.mode, data.invoice_id);
    if (draft?.status === 'unnumbered') await this.numbers.number(draft, correlation_id);
  }
}
