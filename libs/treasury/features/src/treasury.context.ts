import type { HostedContext } from '@tender/http';
import { publishTreasury } from './publish-treasury';
import { TreasuryModule } from './treasury.module';

/** All that treasury does. */
export const treasuryContext: HostedContext = {
  name: 'treasury',
  schema: 'treasury',
  migrations: [],
  entities: [],
  projections: [],
  publishes: { categories: [], publish: publishTreasury },
  module: TreasuryModule,
};
