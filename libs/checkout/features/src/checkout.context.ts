import type { HostedContext } from '@tender/http';
import { CheckoutModule } from './checkout.module';
import { troublePage } from './serve-page/trouble-page';

/** The pages on which customers pay: they ask payments what to show, and keep nothing. */
export const checkoutContext: HostedContext = {
  name: 'checkout',
  schema: 'checkout',
  migrations: [],
  projections: [],
  publishes: { categories: [], publish: () => null },
  module: CheckoutModule,
  error_page: troublePage,
};
