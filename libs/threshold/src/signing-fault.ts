import type { Role } from './parties';

export type SigningCode =
  /** The parties that commit are not two holders of shares of which one is the signer. */
  | 'quorum_member_invalid'
  /** The signer's own commitment is absent or is not the one it made. */
  | 'own_commitment_missing'
  | 'nonce_already_consumed'
  /** A commitment is no point that may be used: malformed, the identity, or outside the prime-order group. */
  | 'commitment_invalid'
  /** The share or key that was given is of another wallet, erased, or malformed. */
  | 'key_invalid'
  | 'signer_share_invalid';

/** Why there is no share or signature. Its text names no secret. */
export class SigningFault extends Error {
  override readonly name: string = 'SigningFault';

  constructor(
    readonly code: SigningCode,
    /** The party at fault, where it is known. */
    readonly culprit: Role | null,
  ) {
    super(culprit === null ? code : `${code}: ${culprit}`);
  }
}

/** A party gave a share that does not fit its commitment, the message and its part of the key. */
export class ShareInvalid extends SigningFault {
  override readonly name = 'ShareInvalid';

  constructor(override readonly culprit: Role) {
    super('signer_share_invalid', culprit);
  }
}
