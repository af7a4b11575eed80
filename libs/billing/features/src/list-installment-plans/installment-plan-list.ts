import type { KnownInstallmentPlan } from '@tender/billing-domain';
import type {
  InstallmentPlanAnswer,
  ListInstallmentPlansQuery,
  RequestContext,
} from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { listing } from '@tender/http';
import type { FastifyReply } from 'fastify';
import { installmentPlan } from '../installment-plans/installment-plan.aggregate';
import { renderInstallmentPlan } from '../installment-plans/render-installment-plan';

const LIMIT = 50;

const plans = listing({
  view: installmentPlan.view,
  filters: { customer_wallet: 'customer_wallet' },
  show: ({ state }: { readonly state: KnownInstallmentPlan }) => state,
});

/** The caller’s plans; null: of any wallet. */
export async function listPlans(
  runtime: Runtime,
  caller: RequestContext,
  { limit = LIMIT, offset = 0 }: ListInstallmentPlansQuery,
  customer_wallet: string | null,
  reply: FastifyReply,
): Promise<InstallmentPlanAnswer[]> {
  const query = { limit, offset, customer_wallet };
  const listed = await plans.array(runtime, caller, query, reply);
  return Promise.all(listed.map((plan) => renderInstallmentPlan(runtime, plan)));
}
