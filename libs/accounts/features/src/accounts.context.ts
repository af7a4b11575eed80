import type { HostedContext } from '@tender/http';
import { openAccounts } from './accounts';
import { apiKeys } from './api-keys/api-keys.projection';
import { CreateAccounts1763700000000 } from './create-accounts.migration';
import { CreatePasskeys1795800100000 } from './create-passkeys.migration';
import { CreateLoginCodes1795800200000 } from './create-login-codes.migration';
import { CreateSessions1795800000000 } from './create-sessions.migration';
import { KeepAccountsGenerations1764000000000 } from './keep-accounts-generations.migration';
import { merchant } from './merchant-details/merchant.aggregate';
import { publishAccounts } from './publish-accounts';
import { AccountsModule } from './accounts.module';
import { accountSettings } from './settings';

/** Merchants and their keys. Runs in the gateway’s process, which asks for a key at every request. */
export const accountsContext: HostedContext = {
  name: 'accounts',
  schema: 'accounts',
  migrations: [
    CreateAccounts1763700000000,
    KeepAccountsGenerations1764000000000,
    CreateSessions1795800000000,
    CreatePasskeys1795800100000,
    CreateLoginCodes1795800200000,
  ],
  open: openAccounts,
  projections: [apiKeys, merchant.view],
  publishes: { categories: merchant.categories, publish: publishAccounts },
  module: AccountsModule,
  settings: accountSettings,
};
