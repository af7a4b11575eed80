import type { HostedContext } from '@tender/http';
import { CreatePayments1763700000000 } from './create-payments.migration';
import { KeepPaymentsGenerations1764000000000 } from './keep-payments-generations.migration';
import { paymentDetails } from './payment-details/payment-details.projection';
import { publishPayments } from './publish-payments';
import { receipts } from './receipts/receipts.projection';
import { PaymentsModule } from './payments.module';
import { paymentSettings } from './settings';

/** Payments from creation to their end, and receipts of money that pays nothing. */
export const paymentsContext: HostedContext = {
  name: 'payments',
  schema: 'payments',
  migrations: [CreatePayments1763700000000, KeepPaymentsGenerations1764000000000],
  entities: [],
  projections: [paymentDetails, receipts],
  publishes: {
    categories: ['payment.test', 'payment.live', 'receipt.test', 'receipt.live'],
    publish: publishPayments,
  },
  module: PaymentsModule,
  settings: paymentSettings,
};
