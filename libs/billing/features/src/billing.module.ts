import { Module } from '@nestjs/common';
import { ChargeSubscriptionReactor } from './charge-subscription/charge-subscription.reactor';
import { DropChargesReactor } from './charge-subscription/drop-charges.reactor';
import { SettleChargesReactor } from './charges/settle-charges.reactor';
import { CreatePlanHttp } from './create-plan/create-plan.http';
import { GetPlanHttp } from './get-plan/get-plan.http';
import { QueueMailsReactor } from './mail-queue/queue-mails.reactor';

@Module({
  controllers: [
    CreatePlanHttp,
    GetPlanHttp,
    ChargeSubscriptionReactor,
    DropChargesReactor,
    QueueMailsReactor,
    SettleChargesReactor,
  ],
  providers: [],
})
export class BillingModule {}
