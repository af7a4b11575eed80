import { Body, Controller, Inject, Res } from '@nestjs/common';
import type { CreatePlan, planDecider, PlanTerms } from '@tender/billing-domain';
import {
  createPlan,
  createPlanToo,
  INTERVAL_COUNT_MAX,
  newId,
  planIds,
  type BillingInterval,
  type CreatePlanBody,
  type PlanAnswer,
  type RequestContext,
} from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import {
  accepted,
  ApiError,
  Caller,
  invalidParameter,
  minorUnits,
  RUNTIME,
  Serves,
  type RefusalAnswers,
} from '@tender/http';
import { isoTime, type RefusalOf } from '@tender/kernel';
import type { FastifyReply } from 'fastify';
import { plan } from '../plans/plan.aggregate';
import { renderPlan } from '../plans/render-plan';
import { BILLING_SETTINGS, type BillingSettings } from '../settings';

const REFUSALS: RefusalAnswers<RefusalOf<typeof planDecider, CreatePlan>> = {
  amount_too_large: [
    422,
    'amount_too_large',
    'The amount is above the merchant’s maximum. Ask for less in each period.',
  ],
  // An id derives from 128 bits of its request: where it exists, it is another request’s that cannot be.
  plan_exists: [500, 'internal_error', 'Something went wrong on our side.'],
};

@Controller()
export class CreatePlanHttp {
  constructor(
    @Inject(RUNTIME) private readonly runtime: Runtime,
    @Inject(BILLING_SETTINGS) private readonly settings: BillingSettings,
  ) {}

  @Serves(createPlan)
  async create(
    @Caller() caller: RequestContext,
    @Body() body: CreatePlanBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PlanAnswer> {
    const billing_interval = intervalOf(body);
    const interval_count = countOf(body, billing_interval);
    const { handled } = await plan.request(this.runtime, caller, (asked) => {
      const terms = this.termsOf(asked, { ...body, billing_interval, interval_count });
      const amount_max = BigInt(asked.amount_max);
      return { id: terms.plan_id, command: { type: 'CreatePlan', terms, amount_max } as const };
    });
    return renderPlan(accepted(handled, REFUSALS, reply).state);
  }

  @Serves(createPlanToo)
  createToo(
    @Caller() caller: RequestContext,
    @Body() body: CreatePlanBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PlanAnswer> {
    return this.create(caller, body, reply);
  }

  private termsOf(
    { merchant_id, mode, id_seed }: RequestContext,
    body: CreatePlanBody & Pick<PlanTerms, 'billing_interval' | 'interval_count'>,
  ): PlanTerms {
    const plan_id = newId(planIds, mode, Buffer.from(id_seed, 'hex'));
    return {
      plan_id,
      merchant_id,
      mode,
      name: body.name,
      description: body.description ?? null,
      amount_minor: minorUnits(body.amount).toString(),
      currency: body.currency ?? 'USD',
      billing_interval: body.billing_interval,
      interval_count: body.interval_count,
      trial_days: body.trial_days ?? 0,
      max_cycles: body.max_cycles ?? null,
      metadata: body.metadata ?? {},
      subscription_url: `${this.settings.checkout_url}/s/${plan_id}`,
      created_at: isoTime(this.runtime.clock.now()),
    };
  }
}

/** It goes by two names. */
function intervalOf({ billing_interval, interval }: CreatePlanBody): BillingInterval {
  const found = billing_interval ?? interval;
  if (found === undefined) {
    const fields = [{ field: 'billing_interval', message: 'is required' }];
    throw new ApiError(400, 'missing_required_field', 'billing_interval is required.', { fields });
  }
  if (interval === undefined || interval === found) return found;
  throw invalidParameter({ field: 'interval', message: 'must be left out or equal billing_interval' });
}

/** How many intervals make a period: how many may depends on how long they are. */
function countOf({ interval_count = 1 }: CreatePlanBody, interval: BillingInterval): number {
  const count_max = INTERVAL_COUNT_MAX[interval];
  if (interval_count <= count_max) return interval_count;
  const message = `must be at most ${count_max} where billing_interval is ${interval}: a period lasts ten years at most`;
  throw invalidParameter({ field: 'interval_count', message });
}
