export { accountsContext } from './accounts.context';
export { AccountsModule } from './accounts.module';
export { keyDirectory, type KeyDirectory } from './key-directory/key-directory';
export { ACCOUNT_SETTINGS, type AccountSettings } from './settings';
