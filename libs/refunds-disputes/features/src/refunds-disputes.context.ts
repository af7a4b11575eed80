import type { HostedContext } from '@tender/http';
import { CreateRefunds1795478400000 } from './create-refunds.migration';
import { refundInvariants } from './invariants/refund-invariants';
import { paymentCase } from './payment-case/payment-case.aggregate';
import { publishRefundsDisputes } from './publish-refunds-disputes';
import { openRefundsDisputes } from './refunds-disputes';
import { RefundsDisputesModule } from './refunds-disputes.module';
import { refunds } from './refunds/refunds.projection';

/** All that refunds and disputes does. */
export const refundsDisputesContext: HostedContext = {
  name: 'refunds-disputes',
  schema: 'refunds_disputes',
  migrations: [CreateRefunds1795478400000],
  entities: [],
  open: openRefundsDisputes,
  projections: [refunds],
  invariants: [...refundInvariants],
  publishes: { categories: paymentCase.categories, publish: publishRefundsDisputes },
  module: RefundsDisputesModule,
};
