import type { KnownInstallmentPlan } from '@tender/billing-domain';
import {
  LIST_LIMIT_DEFAULT,
  type InstallmentPlanAnswer,
  type ListInstallmentPlansQuery,
  type RequestContext,
} from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { listing } from '@tender/http';
import type { FastifyReply } from 'fastify';
import { installmentPlan } from '../installment-plans/installment-plan.aggregate';
import { renderInstallmentPlan } from '../installment-plans/render-installment-plan';

const plans = listing({
  view: installmentPlan.view,
  filters: { customer_wallet: 'customer_wallet' },
  limit: LIST_LIMIT_DEFAULT,
  show: ({ state }: { readonly state: KnownInstallmentPlan }) => state,
});

/** The caller’s plans; null: of any wallet. */
export async function listPlans(
  runtime: Runtime,
  caller: RequestContext,
  page: ListInstallmentPlansQuery,
  customer_wallet: string | null,
  reply: FastifyReply,
): Promise<InstallmentPlanAnswer[]> {
  const listed = await plans.array(runtime, caller, { ...page, customer_wallet }, reply);
  return Promise.all(listed.map((plan) => renderInstallmentPlan(runtime, plan)));
}
