import type { SealedRecipient } from '@tender/billing-domain';
import plans from '../../../domain/src/recorded/installment-plan-v1.json';
import invoices from '../../../domain/src/recorded/invoice-v1.json';
import subscriptions from '../../../domain/src/recorded/subscription-v1.json';

/** An event as the domain has recorded it once and for all. */
export interface RecordedEvent {
  readonly type: string;
  readonly data: object;
}

export interface LifeChanges {
  readonly customer?: SealedRecipient | null;
  readonly terms?: object;
}

const LIVES = { invoice: invoices, 'installment-plan': plans, subscription: subscriptions } as const;
export type LifeNoun = keyof typeof LIVES;

/** The life that the domain has recorded, of another customer or on other terms. */
export function recordedLife(noun: LifeNoun, changes: LifeChanges = {}): readonly RecordedEvent[] {
  const events: readonly RecordedEvent[] = Object.values(LIVES[noun]);
  return events.map(({ type, data }) => {
    const recorded = data as { readonly terms: object; readonly customer?: unknown };
    const has_customer = 'customer' in recorded && 'customer' in changes;
    return {
      type,
      data: {
        ...recorded,
        terms: { ...recorded.terms, ...changes.terms },
        ...(has_customer ? { customer: changes.customer } : {}),
      },
    };
  });
}

/** The same, up to the first event of that type. */
export function lifeUntil(noun: LifeNoun, type: string, changes: LifeChanges = {}) {
  const life = recordedLife(noun, changes);
  return life.slice(0, life.findIndex((event) => event.type === type) + 1);
}
