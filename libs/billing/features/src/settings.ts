import type { ContextSettings } from '@tender/http';

/** Nest injection token. */
export const BILLING_SETTINGS = 'tender:billing-settings';

export interface BillingSettings {
  /** Host of the hosted pages; without a slash at the end. */
  readonly checkout_url: string;
}

export const billingSettings: ContextSettings<BillingSettings> = {
  token: BILLING_SETTINGS,
  read: (_env, place) => ({
    get checkout_url() {
      return place.url;
    },
  }),
};
