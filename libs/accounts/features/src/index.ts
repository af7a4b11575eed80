export { accountsContext } from './accounts.context';
export { KEY_DIRECTORY, openKeyDirectory, type KeyDirectory } from './key-directory/key-directory';
export { openSessions, SESSIONS, type NewSession, type Sessions } from './sessions/sessions';
export { openSetups, type Setups } from './passkey-setup/setups';
export type { Gateways } from './key-directory/proven-fresh';
