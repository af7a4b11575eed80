import type { HostedContext } from '@tender/http';
import { CreateDisputes1795900200000 } from './create-disputes.migration';
import { CreateRefunds1795478400000 } from './create-refunds.migration';
import { disputes } from './disputes/disputes.projection';
import { refundInvariants } from './invariants/refund-invariants';
import { paymentCase } from './payment-case/payment-case.aggregate';
import { publishRefundsDisputes } from './publish-refunds-disputes';
import { openRefundsDisputes } from './refunds-disputes';
import { RefundsDisputesModule } from './refunds-disputes.module';
import { refunds } from './refunds/refunds.projection';
import { refundsDisputesSettings } from './settings';

/** All that refunds and disputes does. */
export const refundsDisputesContext: HostedContext = {
  name: 'refunds-disputes',
  schema: 'refunds_disputes',
  migrations: [CreateRefunds1795478400000, CreateDisputes1795900200000],
  open: openRefundsDisputes,
  projections: [refunds, disputes],
  invariants: [...refundInvariants],
  publishes: { categories: paymentCase.categories, publish: publishRefundsDisputes },
  module: RefundsDisputesModule,
  settings: refundsDisputesSettings,
};
