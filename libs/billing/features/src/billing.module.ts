import { Module } from '@nestjs/common';
import { CancelInstallmentPlanHttp } from './cancel-installment-plan/cancel-installment-plan.http';
import { CreateInstallmentPlanHttp } from './create-installment-plan/create-installment-plan.http';
import { GetInstallmentPlanHttp } from './get-installment-plan/get-installment-plan.http';
import { GetNextInstallmentHttp } from './get-next-installment/get-next-installment.http';
import { ListCustomerInstallmentPlansHttp } from './list-installment-plans/list-customer-installment-plans.http';
import { ListInstallmentPlansHttp } from './list-installment-plans/list-installment-plans.http';
import { DropInstallmentsReactor } from './open-installments/drop-installments.reactor';
import { OpenInstallmentsReactor } from './open-installments/open-installments.reactor';
import { PayNextInstallmentHttp } from './pay-next-installment/pay-next-installment.http';
import { ChargeSubscriptionReactor } from './charge-subscription/charge-subscription.reactor';
import { DropChargesReactor } from './charge-subscription/drop-charges.reactor';
import { AnswerReadInbox } from './read-inbox/answer-read-inbox';
import { SettleChargesReactor } from './charges/settle-charges.reactor';
import { CreatePlanHttp } from './create-plan/create-plan.http';
import { GetPlanHttp } from './get-plan/get-plan.http';
import { QueueMailsReactor } from './mail-queue/queue-mails.reactor';

@Module({
  controllers: [
    CreatePlanHttp,
    GetPlanHttp,
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
    DropChargesReactor,
    QueueMailsReactor,
    SettleChargesReactor,
  ],
  providers: [AnswerReadInbox],
})
export class BillingModule {}
