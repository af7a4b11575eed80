/*
 * What the merchant does by itself, in its browser or with the exit tool: its two parties of a ceremony, its share
 * under a passkey, its recovery kit, and a signature with both of its shares. It uses nothing that browsers lack.
 */
export { CeremonyFault, type CeremonyCode } from './ceremony-fault';
export type { KeyShare } from './key-share';
export { MerchantParties, type MerchantResult } from './merchant/merchant-parties';
export { unwrapShare, wrapShare, type PasskeyShareOf } from './merchant/passkey-share';
export {
  openKit,
  recoveryKit,
  renewedKit,
  walletOfKit,
  type KitContent,
  type OpenedKit,
} from './merchant/recovery-kit';
export { KitFault, type KitCode } from './merchant/kit-fault';
export { PASSPHRASE_LENGTH_MIN, isPassphrase } from './merchant/passphrase';
export type { CeremonyPlan, Envelope, Signed } from './messages';
export type { Roster, SignedRoster } from './roster';
export { rosterFault } from './roster-fault';
export { ShareUnopened } from './share-unopened';
export { signedTogether } from './sign-together';
