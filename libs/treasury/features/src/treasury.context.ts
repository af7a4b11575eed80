import type { HostedContext } from '@tender/http';
import { CreateTreasury1764200000000 } from './create-treasury.migration';
import { publishTreasury } from './publish-treasury';
import { treasurySettings } from './settings';
import { openTreasury } from './treasury';
import { TreasuryModule } from './treasury.module';

/** Pays the fees of gasless payments. What was spent is a record: written before the sponsor signs, never rebuilt. */
export const treasuryContext: HostedContext = {
  name: 'treasury',
  schema: 'treasury',
  migrations: [CreateTreasury1764200000000],
  entities: [],
  projections: [],
  open: openTreasury,
  publishes: { categories: [], publish: publishTreasury },
  module: TreasuryModule,
  settings: treasurySettings,
};
