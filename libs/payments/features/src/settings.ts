import { readWholeNumber } from '@tender/eventing';
import type { ContextSettings } from '@tender/http';

/** Nest injection token. */
export const PAYMENT_SETTINGS = 'tender:payment-settings';

export interface PaymentSettings {
  /** Host of the hosted checkout pages; without a slash at the end. */
  readonly checkout_url: string;
  /** From creation to expiry; 15 minutes unless configured (specification §2.3). */
  readonly payment_lifetime_ms: number;
  /** Of a link with `max_uses`, by payments that wait; a quarter of its uses where that is more. */
  readonly link_uses_held_per_address: number;
}

export const paymentSettings: ContextSettings<PaymentSettings> = {
  token: PAYMENT_SETTINGS,
  read: (env, place) => ({
    payment_lifetime_ms: 1000 * readWholeNumber(env, 'PAYMENT_LIFETIME_SECONDS', 900, 30, 86_400),
    link_uses_held_per_address: readWholeNumber(env, 'LINK_USES_HELD_PER_ADDRESS', 100, 1, 1_000_000),
    get checkout_url() {
      return place.url;
    },
  }),
};
