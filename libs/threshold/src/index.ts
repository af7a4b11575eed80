export { aggregate, type Shares, type SignedFor } from './aggregate';
export { CeremonyParticipant, type CeremonyOptions, type CeremonyResult } from './ceremony';
export { CeremonyFault, type CeremonyCode } from './ceremony-fault';
export { isSelfPlan } from './ceremony-plan';
export type { Said } from './ceremony-messages';
export type { Commitments, NonceCommitment } from './commitments';
export { custodyModelOf } from './custody-model';
export { intentDigest, operationDigest } from './digests';
export { identityOf, type Identity } from './identity';
export { keyShare, type KeyShare } from './key-share';
export * from './messages';
export type { Nonces } from './nonces';
export * from './operation';
export * from './parties';
export { approvalUrl, readApproval, type ApprovalRequest } from './proof/approval-request';
export { base64url, bytesOfBase64url } from './base64url';
export { isAssertionSigned, type AssertionBytes } from './proof/assertion';
export { credentialKey } from './proof/cose-key';
export * from './proof/challenge';
export { sha256Hex } from './canonical-bytes';
export * from './proof/proof';
export type { ProofMessages } from './proof/proof-messages';
export {
  newRecoveryKey,
  openRecovery,
  recoveredShare,
  recoveryKeyPair,
  recoveryPairOf,
  type KeptRecoveryKey,
} from './recovery';
export * from './roster';
export { rosterFault, type RosterFault } from './roster-fault';
export { rosterBytes } from './roster-of';
export type { SealKeyPair } from './seal';
export {
  localKeyEncryption,
  openShare,
  sealShare,
  type KeyEncryption,
  type SealedShare,
  type ShareOf,
} from './share-at-rest';
export { ShareUnopened } from './share-unopened';
export { commitNonces, shareOf } from './sign';
export {
  isSignedBy,
  messageBytes,
  messageFault,
  signMessage,
  type Expected,
  type MessageFault,
} from './signed-message';
export { meaningOf, SIGNER_CODES, type SignerCode } from './signer-codes';
export { ShareInvalid, SigningFault, type SigningCode } from './signing-fault';
