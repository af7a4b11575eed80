import type { PlanToShow, SubscriptionToShow } from '@tender/contracts';
import { inOneDirection } from '../one-direction';
import type { Language } from '@tender/page';
import type { View } from '../view';

/** The screens of a plan and of its subscriptions, as `data-state` of the page's `main` names them. */
export type PlanState =
  | ('subscribe' | 'plan closed' | 'trial' | 'due' | 'subscribed' | 'paused' | 'ended')
  | ('blocked' | 'busy' | 'error');

/** What the server knows when a page of a plan is asked for. */
export interface PlanPageData {
  readonly shown: PlanToShow;
  readonly language: Language;
  /** Milliseconds of business time. */
  readonly now: number;
}

/** What came of a form that was sent, to whom has sent it. */
type Answered = Pick<
  View,
  'interruption' | 'fault' | 'blocked' | 'blocked_payment_id' | 'typed' | 'malformed'
>;

export interface PlanView extends Answered {
  readonly page: PlanPageData;
  /** Names the subscription that one press begins; sent twice, it is one. */
  readonly attempt: string | null;
}

export type PlanChanges = Partial<Omit<PlanView, 'page'>>;

export const planView = (data: PlanPageData, changes: PlanChanges = {}): PlanView => ({
  page: { ...data, shown: withPlainTexts(data.shown) },
  ...{ interruption: null, fault: null, blocked: false, blocked_payment_id: null },
  ...{ typed: {}, malformed: [], attempt: null },
  ...changes,
});

const withPlainTexts = (shown: PlanToShow): PlanToShow => ({
  ...shown,
  merchant_name: inOneDirection(shown.merchant_name),
  name: inOneDirection(shown.name),
  description: shown.description && inOneDirection(shown.description),
});

/** Which screen a view shows: what came of the customer's press comes before how the subscription is. */
export function planStateOf({ page, blocked, interruption, fault }: PlanView): PlanState {
  const { subscription, is_active } = page.shown;
  if (blocked) return 'blocked';
  if (interruption) return 'busy';
  if (fault) return 'error';
  if (subscription) return subscriptionState(subscription);
  return is_active ? 'subscribe' : 'plan closed';
}

function subscriptionState({ status, is_due }: SubscriptionToShow): PlanState {
  if (is_due) return 'due';
  switch (status) {
    case 'Trialing':
      return 'trial';
    case 'Active':
    case 'PastDue':
      return 'subscribed';
    case 'Paused':
      return 'paused';
    case 'Cancelled':
    case 'Expired':
      return 'ended';
  }
}
