import { readWholeNumber } from '@tender/eventing';
import type { ContextSettings } from '@tender/http';

/** Nest injection token. */
export const PAYMENT_SETTINGS = 'tender:payment-settings';

export interface PaymentSettings {
  /** Host of the hosted checkout pages; without a slash at the end. */
  readonly checkout_url: string;
  /** From creation to expiry; 15 minutes unless configured (specification §2.3). */
  readonly payment_lifetime_ms: number;
}

export const paymentSettings: ContextSettings<PaymentSettings> = {
  token: PAYMENT_SETTINGS,
  read: (env, place) => ({
    payment_lifetime_ms: 1000 * readWholeNumber(env, 'PAYMENT_LIFETIME_SECONDS', 900, 30, 86_400),
    get checkout_url() {
      return place.url;
    },
  }),
};
