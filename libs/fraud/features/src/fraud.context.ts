import type { HostedContext } from '@tender/http';
import { blockEntry } from './block-list/block-entry.aggregate';
import { CreateFraud1764100000000 } from './create-fraud.migration';
import { flag } from './flags/flag.aggregate';
import { openFraud } from './fraud';
import { FraudModule } from './fraud.module';
import { HoldScreeningsToLists1766400000000 } from './hold-screenings-to-lists.migration';
import { publishFraud } from './publish-fraud';
import { fraudSettings } from './settings';
import { rule } from './rules/rule.aggregate';
import { sanctions } from './sanctions/sanctions.aggregate';

/** Screens payments and the wallets that would pay them: rules, block lists, sanctions, flags. */
export const fraudContext: HostedContext = {
  name: 'fraud',
  schema: 'fraud',
  migrations: [CreateFraud1764100000000, HoldScreeningsToLists1766400000000],
  projections: [rule.view, blockEntry.view, sanctions.view, flag.view],
  publishes: { categories: flag.categories, publish: publishFraud },
  module: FraudModule,
  settings: fraudSettings,
  open: openFraud,
};
