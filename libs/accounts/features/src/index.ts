export { accountsContext } from './accounts.context';
export { keyDirectory, openKeyDirectory, type KeyDirectory } from './key-directory/key-directory';
export type { Gateways } from './key-directory/proven-fresh';
