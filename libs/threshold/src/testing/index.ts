export { dealtWallet, ofRoles, type DealtWallet } from './dealt-wallet';
export { committedBy, signedTogether } from './signing-together';
export { ceremonyTable, heldCeremony, type Carrier, type Table } from './ceremony';
