export { accountsContext } from './accounts.context';
export { AccountsModule } from './accounts.module';
export { keyDirectory, openKeyDirectory, type KeyDirectory } from './key-directory/key-directory';
export type { Gateways } from './key-directory/proven-fresh';
export { ACCOUNT_SETTINGS, accountSettings, type AccountSettings } from './settings';
