export { dealtWallet, ofEach, ofRoles, type DealtWallet } from './dealt-wallet';
export { committedBy, signedTogether } from '../sign-together';
export { ceremonyTable, heldCeremony, selfTable, type Carrier, type Table } from './ceremony';
export { ownWallet, planOfOwn, type OwnWallet, type Way } from './own-wallet';
