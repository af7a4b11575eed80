import { Module } from '@nestjs/common';
import { CreatePlanHttp } from './create-plan/create-plan.http';
import { GetPlanHttp } from './get-plan/get-plan.http';

@Module({
  controllers: [CreatePlanHttp, GetPlanHttp],
  providers: [],
})
export class BillingModule {}
