import { Controller, Inject, Query, Res } from '@nestjs/common';
import {
  listInstallmentPlans,
  type InstallmentPlanAnswer,
  type ListInstallmentPlansQuery,
  type RequestContext,
} from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { Caller, RUNTIME, Serves } from '@tender/http';
import type { FastifyReply } from 'fastify';
import { listPlans } from './installment-plan-list';

@Controller()
export class ListInstallmentPlansHttp {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Serves(listInstallmentPlans)
  list(
    @Caller() caller: RequestContext,
    @Query() query: ListInstallmentPlansQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<InstallmentPlanAnswer[]> {
    return listPlans(this.runtime, caller, query, null, reply);
  }
}
