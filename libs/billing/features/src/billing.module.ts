import { Module } from '@nestjs/common';
import { CancelInvoiceHttp } from './cancel-invoice/cancel-invoice.http';
import { CloseInvoiceLinkReactor } from './cancel-invoice/close-invoice-link.reactor';
import { ChargeSubscriptionReactor } from './charge-subscription/charge-subscription.reactor';
import { DropChargesReactor } from './charge-subscription/drop-charges.reactor';
import { SettleChargesReactor } from './charges/settle-charges.reactor';
import { CreateInvoice } from './create-invoice/create-invoice';
import { CreateInvoiceHttp } from './create-invoice/create-invoice.http';
import { NumberDraftsReactor } from './create-invoice/number-drafts.reactor';
import { CreatePlanHttp } from './create-plan/create-plan.http';
import { GetInvoiceHttp } from './get-invoice/get-invoice.http';
import { GetPlanHttp } from './get-plan/get-plan.http';
import { GetInvoicePdfHttp } from './invoice-pdf/get-invoice-pdf.http';
import { InvoiceNumbers } from './invoices/invoice-numbers';
import { ListInvoicesHttp } from './list-invoices/list-invoices.http';
import { QueueMailsReactor } from './mail-queue/queue-mails.reactor';
import { RemindInvoiceHttp } from './send-invoice/remind-invoice.http';
import { SendInvoiceHttp } from './send-invoice/send-invoice.http';

@Module({
  controllers: [
    CreatePlanHttp,
    GetPlanHttp,
    CreateInvoiceHttp,
    ListInvoicesHttp,
    GetInvoiceHttp,
    GetInvoicePdfHttp,
    SendInvoiceHttp,
    RemindInvoiceHttp,
    CancelInvoiceHttp,
    NumberDraftsReactor,
    CloseInvoiceLinkReactor,
    ChargeSubscriptionReactor,
    DropChargesReactor,
    QueueMailsReactor,
    SettleChargesReactor,
  ],
  providers: [InvoiceNumbers, CreateInvoice],
})
export class BillingModule {}
