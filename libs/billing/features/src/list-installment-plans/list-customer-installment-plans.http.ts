import { Controller, Inject, Param, Query, Res } from '@nestjs/common';
import {
  FIELD_RULES,
  listCustomerInstallmentPlans,
  type InstallmentPlanAnswer,
  type ListInstallmentPlansQuery,
  type RequestContext,
} from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { Caller, invalidParameter, RUNTIME, Serves } from '@tender/http';
import type { FastifyReply } from 'fastify';
import { listPlans } from './installment-plan-list';

const ADDRESS = FIELD_RULES['base58-address'];

@Controller()
export class ListCustomerInstallmentPlansHttp {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Serves(listCustomerInstallmentPlans)
  async list(
    @Caller() caller: RequestContext,
    @Param('customer_wallet') customer_wallet: string,
    @Query() query: ListInstallmentPlansQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<InstallmentPlanAnswer[]> {
    if (!ADDRESS.test(customer_wallet)) {
      throw invalidParameter({ field: 'customer_wallet', message: ADDRESS.message });
    }
    return listPlans(this.runtime, caller, query, customer_wallet, reply);
  }
}
