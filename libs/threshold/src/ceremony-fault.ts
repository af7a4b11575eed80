import type { Role } from './parties';

export type CeremonyCode =
  /** The plan, a pinned key or the session is none that a ceremony can be held with. */
  | 'dkg_plan_invalid'
  /** A round was asked for again, too early, or after the end. */
  | 'dkg_out_of_order'
  /** Not exactly one message of each party that must have sent one. */
  | 'dkg_incomplete'
  | 'dkg_bad_signature'
  /** A message of another ceremony. */
  | 'dkg_wrong_session'
  /** Another message than this round takes, though its sender did sign it. */
  | 'dkg_unexpected_message'
  /** A body of another form, or a point, scalar or key that is none. */
  | 'dkg_malformed'
  /** A party does not know the secret that it has committed to. */
  | 'dkg_proof_invalid'
  /** The parties were not told the same in round 1. */
  | 'dkg_transcript_mismatch'
  /** What a party dealt does not open, or does not fit its commitment. */
  | 'dkg_share_invalid'
  /** From the same round 1 a party has come to another key. */
  | 'dkg_group_key_mismatch'
  /** The share for disasters is not sealed to the offline key that was pinned. */
  | 'dkg_recovery_mismatch'
  /** The merchant has another wallet in that mode, which was used or settles elsewhere. */
  | 'dkg_wallet_exists';

/** Why a ceremony has ended without a key. */
export class CeremonyFault extends Error {
  override readonly name = 'CeremonyFault';

  constructor(
    readonly code: CeremonyCode,
    /** The party that signed what is wrong; null where the carrier of messages may as well have done it. */
    readonly culprit: Role | null,
  ) {
    super(culprit === null ? code : `${code}: ${culprit}`);
  }
}
