import { allRoutes, SPEAKERS } from '@tender/contracts';
import {
  PAYMENT_SETTINGS,
  paymentsContext,
  PaymentsModule,
  type PaymentSettings,
} from '@tender/payments-features';
import { runService, SettingsFault, type ServiceSettings } from '@tender/runtime';

/** Payments from creation to their end, and receipts of money that pays nothing. */
export const payments = {
  name: 'payments',
  context: paymentsContext,
  module: PaymentsModule,
  routes: allRoutes.filter(({ context }) => context === 'payments'),
  speakers: SPEAKERS,
  providers: (settings: ServiceSettings) => [
    { provide: PAYMENT_SETTINGS, useValue: paymentSettings(settings) },
  ],
};

function paymentSettings({ public_url, payment_lifetime_ms }: ServiceSettings): PaymentSettings {
  if (public_url === null) {
    throw new SettingsFault('PUBLIC_URL is not set. Payment links begin with it.');
  }
  return {
    checkout_url: public_url,
    payment_lifetime_ms,
  };
}

if (require.main === module) void runService(payments);
