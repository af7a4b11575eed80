import { Module } from '@nestjs/common';
import { CreatePlanHttp } from './create-plan/create-plan.http';
import { GetPlanHttp } from './get-plan/get-plan.http';
import { QueueMailsReactor } from './mail-queue/queue-mails.reactor';

@Module({
  controllers: [CreatePlanHttp, GetPlanHttp, QueueMailsReactor],
  providers: [],
})
export class BillingModule {}
