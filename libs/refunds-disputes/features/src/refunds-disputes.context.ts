import type { HostedContext } from '@tender/http';
import { CreateDisputes1795900200000 } from './create-disputes.migration';
import { disputes } from './disputes/disputes.projection';
import { paymentCase } from './payment-case/payment-case.aggregate';
import { publishRefundsDisputes } from './publish-refunds-disputes';
import { openRefundsDisputes } from './refunds-disputes';
import { RefundsDisputesModule } from './refunds-disputes.module';
import { refundsDisputesSettings } from './settings';

/** All that refunds and disputes does. */
export const refundsDisputesContext: HostedContext = {
  name: 'refunds-disputes',
  schema: 'refunds_disputes',
  migrations: [CreateDisputes1795900200000],
  entities: [],
  open: openRefundsDisputes,
  projections: [disputes],
  publishes: { categories: paymentCase.categories, publish: publishRefundsDisputes },
  module: RefundsDisputesModule,
  settings: refundsDisputesSettings,
};
