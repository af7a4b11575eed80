import type { HostedContext } from '@tender/http';
import { FraudModule } from './fraud.module';
import { publishFraud } from './publish-fraud';

/** All that fraud does. */
export const fraudContext: HostedContext = {
  name: 'fraud',
  schema: 'fraud',
  migrations: [],
  entities: [],
  projections: [],
  publishes: { categories: [], publish: publishFraud },
  module: FraudModule,
};
