/** What a code with which a signer refuses means to treasury, which asked. */
export interface CodeMeaning {
  /** An attempt: another one may be signed a little later. An operation: no signer will sign for it. */
  readonly refuses: 'attempt' | 'operation';
  /** No honest treasury and no honest signer causes it: an operator is called, and three of them freeze the wallet. */
  readonly alarm: boolean;
  readonly says: string;
}

const ofAttempt = (says: string): CodeMeaning => ({ refuses: 'attempt', alarm: false, says });
const ofOperation = (says: string): CodeMeaning => ({ refuses: 'operation', alarm: false, says });
const alarm = (says: string): CodeMeaning => ({ refuses: 'operation', alarm: true, says });
/** The messages of one signature or ceremony do not belong together: that says nothing of what was to be signed. */
const foul = (says: string): CodeMeaning => ({ refuses: 'attempt', alarm: true, says });

/** Why a message does not do exactly what its operation says. */
const MESSAGE_CODES = {
  tx_version_unsupported: alarm('The message is not of the legacy version.'),
  tx_lookup_table_forbidden: alarm('The message takes accounts from a look-up table.'),
  tx_not_canonical: alarm('The bytes are not the one form in which this message is written.'),
  tx_wallet_not_signer: alarm('The wallet does not sign the message.'),
  tx_wallet_pays_fee: alarm('The wallet would pay the fee of the transaction.'),
  tx_foreign_authority: alarm('Others sign or decide than the fee payer and the wallet.'),
  tx_program_forbidden: alarm('The message calls a program that no transfer needs.'),
  tx_instruction_forbidden: alarm('The message has an instruction that no transfer needs.'),
  tx_priority_fee_too_high: alarm('The message offers more for its priority than is allowed.'),
  tx_transfer_count: alarm('The message does not have exactly one transfer of money.'),
  tx_source_mismatch: alarm('Money leaves another account than the one that is to pay.'),
  tx_destination_mismatch: alarm('Money goes to another account than that of the receiver.'),
  tx_amount_mismatch: alarm('Another amount leaves than the operation says.'),
  tx_mint_mismatch: alarm('Another asset leaves than the operation says.'),
  marker_missing: alarm('The message does not make the marker that lets a transfer leave once.'),
  marker_mismatch: alarm('The marker of the message is not that of the operation.'),
} as const;

/** Why an operation is not signed for, whatever the bytes. */
const OPERATION_CODES = {
  op_malformed: ofOperation('The operation is not written as operations are.'),
  op_expired: ofAttempt('The time of this attempt has passed by the clock of the signer.'),
  op_expiry_too_far: ofAttempt('The attempt would be valid for more than 180 seconds.'),
  op_type_not_allowed: alarm('Money does not leave this wallet for such an operation.'),
  op_changed: alarm('An operation of this id was asked for before, and it was another one.'),
  op_already_in_flight: ofAttempt('A share was given for this operation, and it may still land.'),
  op_already_settled: ofAttempt('The operation has happened.'),
  op_already_failed: ofOperation('The operation has failed on the chain.'),
  mode_mismatch: alarm('The wallet is of the other mode.'),
  wallet_unknown: ofAttempt('The signer holds no share of this wallet.'),
  wallet_frozen: ofOperation('The wallet is frozen.'),
  destination_not_whitelisted: alarm('A settlement goes to another wallet than the roster names.'),
  credit_not_found: ofAttempt('The node of the signer does not show the incoming transaction.'),
  credit_failed: ofOperation('The incoming transaction has failed.'),
  credit_source_ambiguous: ofOperation('The money of the incoming transaction has not one source.'),
  credit_source_mismatch: ofOperation('A refund goes to another wallet than the one that paid.'),
  credit_not_payment: ofOperation('What came in was no payment: its wallet took part, or it was paid by Tender.'),
  credit_exceeded: ofOperation('The refunds of this credit would exceed it.'),
  day_limit_exceeded: ofOperation('More would leave the wallet in 24 hours than its limit.'),
  blockhash_not_valid: ofAttempt('The node of the signer does not take this blockhash now.'),
} as const;

/** What goes wrong between the parties of a signature or a ceremony. */
const PROTOCOL_CODES = {
  session_unknown: ofAttempt('The signer knows no such session: it has ended or never began.'),
  session_binding_mismatch: foul('A commitment is of another session, operation or message.'),
  peer_signature_invalid: foul('The commitment of the peer is not signed by it.'),
  quorum_member_invalid: foul('A commitment is not from the two signers that sign together.'),
  own_commitment_missing: foul('The signer’s own commitment is missing or was changed.'),
  nonce_already_consumed: foul('The nonces of this session were used before.'),
  commitment_invalid: foul('A commitment to nonces is none that may be used.'),
  key_invalid: ofAttempt('The share of the signer is not to be used.'),
  epoch_mismatch: ofAttempt('The shares of the wallet are of another epoch.'),
  signer_share_invalid: foul('A share does not fit its signer’s key.'),
  signer_session_expired: ofAttempt('The session took too long; a new one may follow.'),
  signer_unavailable: ofAttempt('A signer, or the node that it needs, does not answer.'),
  dkg_wrong_session: foul('A message of another ceremony was passed off as one of this.'),
  dkg_bad_signature: foul('A message of a ceremony is not signed by its sender.'),
  dkg_transcript_mismatch: foul('The parties of a ceremony were told different things.'),
  dkg_group_key_mismatch: foul('The parties of a ceremony ended with different keys.'),
  dkg_share_invalid: foul('A party of a ceremony dealt a share that does not fit its commitments.'),
  dkg_out_of_order: foul('A step of a ceremony was asked for before its turn or twice.'),
  dkg_plan_invalid: foul('The plan of a ceremony is none that the signer takes part in.'),
  dkg_incomplete: foul('A round of a ceremony lacks a message, or has one too many.'),
  dkg_unexpected_message: foul('A message of a ceremony belongs to another of its rounds.'),
  dkg_malformed: foul('A message of a ceremony has another form, or no point where one must be.'),
  dkg_proof_invalid: foul('A party of a ceremony does not know the secret it commits to.'),
  dkg_recovery_mismatch: foul('The share for disasters is sealed to another key than was pinned.'),
  dkg_wallet_exists: foul('The merchant has a wallet that was used, or that settles elsewhere.'),
} as const;

/** What a signer does not take up, whatever it is for. */
const SERVICE_CODES = {
  ask_malformed: ofAttempt('The message has not the form of its kind.'),
  kind_unknown: ofAttempt('The signer knows no such message.'),
  session_malformed: ofAttempt('A session has 8 to 80 letters, digits, - or _.'),
  session_used: ofAttempt('A session is for one signature or ceremony.'),
  sessions_busy: ofAttempt('Too many signatures are under way.'),
  ceremony_busy: ofAttempt('Too many ceremonies are under way.'),
  evidence_unavailable: ofAttempt('The node of the signer does not show what it must know.'),
} as const;

/** Why a proof by a passkey of the merchant is none; the merchant brings it, so no code of these is an alarm. */
const PASSKEY_CODES = {
  passkey_signature_malformed: ofAttempt('The proof has not the form of a WebAuthn assertion.'),
  passkey_required: ofAttempt('A passkey of the merchant that the signer knows has to allow it.'),
  passkey_unknown_credential: ofAttempt('The signer knows no such passkey of the merchant.'),
  passkey_invalid: ofAttempt('The proof is not by that passkey, or from no page of this service.'),
  user_verification_required: ofAttempt('The passkey has not made sure who uses it.'),
  passkey_operation_mismatch: ofAttempt('The proof allows something else.'),
  passkey_challenge_expired: ofAttempt('The time of this challenge is not now.'),
  passkey_challenge_consumed: ofAttempt('The challenge was used before.'),
  passkey_key_invalid: ofAttempt('The public key is none that a passkey can sign by here.'),
  passkey_pinned_otherwise: ofAttempt('The signer knows a passkey of this id with another owner or key.'),
  passkey_last: ofAttempt('The last passkey of a merchant is not taken away.'),
  passkeys_too_many: ofAttempt('The merchant has as many passkeys as a signer keeps.'),
} as const;

/** Every code with which a signer refuses. */
export const SIGNER_CODES = {
  ...{ ...MESSAGE_CODES, ...OPERATION_CODES, ...PASSKEY_CODES },
  ...{ ...PROTOCOL_CODES, ...SERVICE_CODES },
} as const;
export type SignerCode = keyof typeof SIGNER_CODES;

/** What is known of a code; null of one that a newer signer may have. */
export const meaningOf = (code: string): CodeMeaning | null =>
  Object.hasOwn(SIGNER_CODES, code) ? SIGNER_CODES[code as SignerCode] : null;
