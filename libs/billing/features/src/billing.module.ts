import { Module } from '@nestjs/common';
import { CancelInstallmentPlanHttp } from './cancel-installment-plan/cancel-installment-plan.http';
import { CancelInvoiceHttp } from './cancel-invoice/cancel-invoice.http';
import { CloseInvoiceLinkReactor } from './cancel-invoice/close-invoice-link.reactor';
import { ChargeSubscriptionReactor } from './charge-subscription/charge-subscription.reactor';
import { DropChargesReactor } from './charge-subscription/drop-charges.reactor';
import { FailChargesReactor } from './charges/fail-charges.reactor';
import { BeginPaymentsReactor } from './charges/begin-payments.reactor';
import { SettleChargesReactor } from './charges/settle-charges.reactor';
import { CancelSubscriptionHttp } from './cancel-subscription/cancel-subscription.http';
import { CreateInstallmentPlanHttp } from './create-installment-plan/create-installment-plan.http';
import { CreateInvoice } from './create-invoice/create-invoice';
import { CreateInvoiceHttp } from './create-invoice/create-invoice.http';
import { NumberDraftsReactor } from './create-invoice/number-drafts.reactor';
import { CreatePlanHttp } from './create-plan/create-plan.http';
import { CreateSubscriptionHttp } from './create-subscription/create-subscription.http';
import { Subscribe } from './create-subscription/subscribe';
import { GetInstallmentPlanHttp } from './get-installment-plan/get-installment-plan.http';
import { GetInvoiceHttp } from './get-invoice/get-invoice.http';
import { GetNextInstallmentHttp } from './get-next-installment/get-next-installment.http';
import { GetPlanHttp } from './get-plan/get-plan.http';
import { GetSubscriptionHttp } from './get-subscription/get-subscription.http';
import { GetInvoicePdfHttp } from './invoice-pdf/get-invoice-pdf.http';
import { InvoicePrinter } from './invoice-pdf/invoice-printer';
import { InvoiceNumbers } from './invoices/invoice-numbers';
import { ListCustomerInstallmentPlansHttp } from './list-installment-plans/list-customer-installment-plans.http';
import { ListInstallmentPlansHttp } from './list-installment-plans/list-installment-plans.http';
import { ListInvoicesHttp } from './list-invoices/list-invoices.http';
import { ListPlansHttp } from './list-plans/list-plans.http';
import { PauseSubscriptionHttp } from './pause-subscription/pause-subscription.http';
import { ResumeSubscriptionHttp } from './pause-subscription/resume-subscription.http';
import { PayPeriod } from './pay-subscription/pay-period';
import { PaySubscriptionHttp } from './pay-subscription/pay-subscription.http';
import { AnswerPlanPages } from './plan-pages/answer-plan-pages';
import { SwitchPlanHttp } from './switch-plan/switch-plan.http';
import { QueueMailsReactor } from './mail-queue/queue-mails.reactor';
import { DropInstallmentsReactor } from './open-installments/drop-installments.reactor';
import { OpenInstallmentsReactor } from './open-installments/open-installments.reactor';
import { PayNextInstallmentHttp } from './pay-next-installment/pay-next-installment.http';
import { AnswerReadInbox } from './read-inbox/answer-read-inbox';
import { RemindInvoiceHttp } from './send-invoice/remind-invoice.http';
import { SendInvoiceHttp } from './send-invoice/send-invoice.http';

@Module({
  controllers: [
    CreatePlanHttp,
    GetPlanHttp,
    ListPlansHttp,
    SwitchPlanHttp,
    CreateSubscriptionHttp,
    GetSubscriptionHttp,
    PaySubscriptionHttp,
    CancelSubscriptionHttp,
    PauseSubscriptionHttp,
    ResumeSubscriptionHttp,
    CreateInvoiceHttp,
    ListInvoicesHttp,
    GetInvoiceHttp,
    GetInvoicePdfHttp,
    SendInvoiceHttp,
    RemindInvoiceHttp,
    CancelInvoiceHttp,
    NumberDraftsReactor,
    CloseInvoiceLinkReactor,
    CreateInstallmentPlanHttp,
    ListInstallmentPlansHttp,
    ListCustomerInstallmentPlansHttp,
    GetInstallmentPlanHttp,
    GetNextInstallmentHttp,
    PayNextInstallmentHttp,
    CancelInstallmentPlanHttp,
    OpenInstallmentsReactor,
    DropInstallmentsReactor,
    ChargeSubscriptionReactor,
    BeginPaymentsReactor,
    DropChargesReactor,
    QueueMailsReactor,
    SettleChargesReactor,
    FailChargesReactor,
  ],
  providers: [
    ...[InvoiceNumbers, InvoicePrinter, CreateInvoice, AnswerReadInbox],
    ...[Subscribe, PayPeriod, AnswerPlanPages],
  ],
})
export class BillingModule {}
