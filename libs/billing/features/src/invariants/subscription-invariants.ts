import type { SubscriptionEvent } from '@tender/billing-domain';
import { modeOf, subscriptionIds } from '@tender/contracts';
import {
  checkedKind,
  ofOneMode,
  ownEvents,
  ownInvariant,
  type InvariantCheck,
} from '@tender/eventing';
import { subscription } from '../subscriptions/subscription.aggregate';
import { firstTwice } from './first-twice';

const subscriptions = checkedKind(subscription);

/** What charges a period. */
const CHARGES: ReadonlySet<SubscriptionEvent['type']> = new Set([
  'SubscriptionPeriodOpened',
  'SubscriptionChargeDue',
  'SubscriptionChargeOpened',
]);

const paidOnce: InvariantCheck = ownInvariant({
  id: 'M26',
  says: 'A period of a subscription is paid at most once, and nothing is charged after its end.',
  of: subscriptions,
  fault({ history }) {
    const events = ownEvents<SubscriptionEvent>(history);
    const paid = events.flatMap((event) =>
      event.type === 'SubscriptionRenewed' ? event.data : [],
    );
    const period = firstTwice(paid.map(({ period_number }) => period_number));
    if (period !== null) return `period ${period} is paid twice`;
    const payment = firstTwice(paid.map(({ paid_by }) => paid_by.payment_id));
    if (payment !== null) return `${payment} pays two periods`;
    const max_cycles = paid[0]?.terms.plan.max_cycles ?? null;
    if (max_cycles !== null && paid.length > max_cycles) {
      return `${paid.length} periods are paid of ${max_cycles}`;
    }
    const end = events.findIndex(
      ({ type }) => type === 'SubscriptionCancelled' || type === 'SubscriptionExpired',
    );
    const charged = end < 0 ? undefined : events.slice(end).find(({ type }) => CHARGES.has(type));
    return charged ? `${charged.type} after its end` : null;
  },
});

const inOrder: InvariantCheck = ownInvariant({
  id: 'M27',
  says: 'Periods of a subscription follow each other and never overlap.',
  of: subscriptions,
  fault({ history }) {
    let period_number = 0;
    let end = '';
    for (const event of ownEvents<SubscriptionEvent>(history)) {
      if (event.type === 'SubscriptionResumed') end = event.data.calendar.end;
      if (event.type === 'SubscriptionCreated') {
        period_number = event.data.charge === null ? 0 : 1;
        end = event.data.calendar.end;
      }
      if (event.type !== 'SubscriptionPeriodOpened') continue;
      const { calendar, period_number: opened } = event.data;
      if (opened !== period_number + 1) return `period ${opened} opens after period ${period_number}`;
      if (calendar.start < end) return `period ${opened} begins before ${end}`;
      if (calendar.end <= calendar.start) return `period ${opened} ends before it begins`;
      [period_number, end] = [opened, calendar.end];
    }
    return null;
  },
});

export const subscriptionInvariants: readonly InvariantCheck[] = [
  paidOnce,
  inOrder,
  ofOneMode(subscriptions, (id) => modeOf(subscriptionIds, id)),
];
