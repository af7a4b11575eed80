/** Nest injection token. */
export const PAYMENT_SETTINGS = 'tender:payment-settings';

export interface PaymentSettings {
  /** Host of the hosted checkout pages; without a slash at the end. */
  readonly checkout_url: string;
  /** From creation to expiry; 15 minutes unless configured (decisions §2.3). */
  readonly payment_lifetime_ms: number;
}
