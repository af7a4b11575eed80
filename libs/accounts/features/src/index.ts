export { accountsContext } from './accounts.context';
export { KEY_DIRECTORY, openKeyDirectory, type KeyDirectory } from './key-directory/key-directory';
export type { Gateways } from './key-directory/proven-fresh';
