import type { PlanCreated, PlanEvent } from '@tender/billing-domain';
import { planCreated } from '@tender/contracts';
import { publications, tells } from '@tender/eventing';
import { MAIL_PUBLICATIONS } from './mails/tell-mails';
import { renderPlan } from './plans/render-plan';

/** A plan as it was created. */
const planAt = ({ data: { terms } }: PlanCreated) => ({
  plan: renderPlan({ status: 'active', terms, updated_at: terms.created_at }),
});

/** What billing says in public of its events. */
export const publishBilling = publications<PlanEvent>({
  PlanCreated: tells(planCreated, planAt),
  PlanDeactivated: 'private',
  PlanActivated: 'private',
  ...MAIL_PUBLICATIONS,
});
