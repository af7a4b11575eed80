import type { Confirmation } from './payment';
import type { PaymentTerms } from './payment-terms';

/** Who does not want the held money. */
export type HoldCanceler = 'merchant' | 'system';

/** The held money goes back to who paid it, whole. */
export interface HoldCanceled {
  readonly type: 'HoldCanceled';
  readonly data: {
    readonly terms: PaymentTerms;
    readonly confirmation: Confirmation;
    readonly canceled_by: HoldCanceler;
    readonly canceled_at: string;
  };
}

/**
 * Where the money of a held payment is in its course (`capture_method: manual`, specification §2.8). `none`: the
 * payment does not hold. `capturing`: its settlement has not ended well yet.
 */
export type HoldStateName = 'none' | 'held' | 'capturing' | 'captured' | 'canceled';
