import { Module } from '@nestjs/common';
import { ChargeSubscriptionReactor } from './charge-subscription/charge-subscription.reactor';
import { DropChargesReactor } from './charge-subscription/drop-charges.reactor';
import { SettleChargesReactor } from './charges/settle-charges.reactor';
import { CancelSubscriptionHttp } from './cancel-subscription/cancel-subscription.http';
import { CreatePlanHttp } from './create-plan/create-plan.http';
import { CreateSubscriptionHttp } from './create-subscription/create-subscription.http';
import { GetPlanHttp } from './get-plan/get-plan.http';
import { GetSubscriptionHttp } from './get-subscription/get-subscription.http';
import { ListPlansHttp } from './list-plans/list-plans.http';
import { PauseSubscriptionHttp } from './pause-subscription/pause-subscription.http';
import { ResumeSubscriptionHttp } from './pause-subscription/resume-subscription.http';
import { PaySubscriptionHttp } from './pay-subscription/pay-subscription.http';
import { SwitchPlanHttp } from './switch-plan/switch-plan.http';
import { QueueMailsReactor } from './mail-queue/queue-mails.reactor';

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
    ChargeSubscriptionReactor,
    DropChargesReactor,
    QueueMailsReactor,
    SettleChargesReactor,
  ],
  providers: [],
})
export class BillingModule {}
