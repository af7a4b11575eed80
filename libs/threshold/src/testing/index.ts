export { dealtWallet, ofEach, ofRoles, type DealtWallet } from './dealt-wallet';
export { committedBy, signedTogether } from '../sign-together';
export { ceremonyTable, heldCeremony, selfTable, type Carrier, type Table } from './ceremony';
export { ownWallet, planOfOwn, type OwnWallet, type Way } from './own-wallet';
export { cbor, type Cbor } from './cbor';
export {
  ALGORITHMS,
  authenticatorData,
  passkeyKey,
  signAssertion,
  type Algorithm,
  type PasskeyKey,
} from './passkey-key';
