import type { HostedContext } from '@tender/http';
import { publishRefundsDisputes } from './publish-refunds-disputes';
import { RefundsDisputesModule } from './refunds-disputes.module';

/** All that refunds and disputes does. */
export const refundsDisputesContext: HostedContext = {
  name: 'refunds-disputes',
  schema: 'refunds_disputes',
  migrations: [],
  entities: [],
  projections: [],
  publishes: { categories: [], publish: publishRefundsDisputes },
  module: RefundsDisputesModule,
};
