export { dealtWallet, ofEach, ofRoles, type DealtWallet } from './dealt-wallet';
export { committedBy, signedTogether } from './signing-together';
export { ceremonyTable, heldCeremony, selfTable, type Carrier, type Table } from './ceremony';
