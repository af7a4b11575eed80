/** What a code of a signer means to who hears it. */
export interface CodeMeaning {
  /** HTTP, where the refusal is shown to a client. */
  readonly status: number;
  /** An honest treasury never causes it: an operator is called, and three of them freeze the wallet. */
  readonly alarm: boolean;
  readonly says: string;
}

const meaning = (status: number, says: string): CodeMeaning => ({ status, alarm: false, says });
const alarm = (says: string): CodeMeaning => ({ status: 403, alarm: true, says });

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
  op_malformed: meaning(400, 'The operation is not written as operations are.'),
  op_expired: meaning(403, 'The time of this attempt has passed by the clock of the signer.'),
  op_expiry_too_far: meaning(403, 'The attempt would be valid for more than 180 seconds.'),
  op_type_not_allowed: alarm('Money does not leave this wallet for such an operation.'),
  op_changed: alarm('An operation of this id was asked for before, and it was another one.'),
  op_already_in_flight: meaning(
    409,
    'A share was given for this operation, and it may still land.',
  ),
  op_already_settled: meaning(409, 'The operation has happened.'),
  op_already_failed: meaning(409, 'The operation has failed on the chain.'),
  intent_already_signed: meaning(409, 'A share was given for these bytes before.'),
  mode_mismatch: alarm('The wallet is of the other mode.'),
  wallet_unknown: meaning(409, 'The signer holds no share of this wallet.'),
  wallet_frozen: meaning(409, 'The wallet is frozen.'),
  destination_not_whitelisted: alarm('A settlement goes to another wallet than the roster names.'),
  credit_not_found: meaning(403, 'The node of the signer does not show the incoming transaction.'),
  credit_failed: meaning(403, 'The incoming transaction has failed.'),
  credit_source_ambiguous: meaning(
    403,
    'The money of the incoming transaction has not one source.',
  ),
  credit_source_mismatch: meaning(403, 'A refund goes to another wallet than the one that paid.'),
  credit_exceeded: meaning(403, 'The refunds of this credit would exceed it.'),
  day_limit_exceeded: meaning(403, 'More would leave the wallet in 24 hours than its limit.'),
  blockhash_not_valid: meaning(409, 'The node of the signer does not take this blockhash now.'),
} as const;

/** What goes wrong between the parties of a signature or a ceremony. */
const PROTOCOL_CODES = {
  session_unknown: meaning(409, 'The signer knows no such session: it has ended or never began.'),
  session_binding_mismatch: alarm('A commitment is of another session, operation or message.'),
  peer_signature_invalid: alarm('The commitment of the peer is not signed by it.'),
  quorum_member_invalid: alarm('A commitment is not from the two signers that sign together.'),
  own_commitment_missing: alarm('The signer’s own commitment is missing or was changed.'),
  nonce_already_consumed: alarm('The nonces of this session were used before.'),
  commitment_invalid: alarm('A commitment to nonces is none that may be used.'),
  key_invalid: meaning(503, 'The share of the signer is not to be used.'),
  epoch_mismatch: meaning(409, 'The shares of the wallet are of another epoch.'),
  signer_share_invalid: {
    status: 502,
    alarm: true,
    says: 'A share does not fit its signer’s key.',
  },
  signer_session_expired: meaning(503, 'The session took too long; a new one may follow.'),
  signer_unavailable: meaning(503, 'A signer, or the node that it needs, does not answer.'),
  dkg_wrong_session: alarm('A message of another ceremony was passed off as one of this.'),
  dkg_bad_signature: alarm('A message of a ceremony is not signed by its sender.'),
  dkg_transcript_mismatch: alarm('The parties of a ceremony were told different things.'),
  dkg_group_key_mismatch: alarm('The parties of a ceremony ended with different keys.'),
  dkg_share_invalid: alarm(
    'A party of a ceremony dealt a share that does not fit its commitments.',
  ),
  dkg_out_of_order: alarm('A step of a ceremony was asked for before its turn or twice.'),
  dkg_plan_invalid: alarm('The plan of a ceremony is none that the signer takes part in.'),
  dkg_incomplete: alarm('A round of a ceremony lacks a message, or has one too many.'),
  dkg_unexpected_message: alarm('A message of a ceremony belongs to another of its rounds.'),
  dkg_malformed: alarm('A message of a ceremony has another form, or no point where one must be.'),
  dkg_proof_invalid: alarm('A party of a ceremony does not know the secret it commits to.'),
  dkg_recovery_mismatch: alarm('The share for disasters is sealed to another key than was pinned.'),
} as const;

/** What a signer does not take up, whatever it is for. */
const SERVICE_CODES = {
  ask_malformed: meaning(400, 'The message has not the form of its kind.'),
  kind_unknown: meaning(400, 'The signer knows no such message.'),
  session_malformed: meaning(400, 'A session has 8 to 80 letters, digits, - or _.'),
  session_used: meaning(409, 'A session is for one signature or ceremony.'),
  sessions_busy: meaning(503, 'Too many signatures are under way.'),
  ceremony_busy: meaning(503, 'Too many ceremonies are under way.'),
  evidence_unavailable: meaning(503, 'The node of the signer does not show what it must know.'),
} as const;

/** Every code with which a signer refuses. */
export const SIGNER_CODES = {
  ...{ ...MESSAGE_CODES, ...OPERATION_CODES },
  ...{ ...PROTOCOL_CODES, ...SERVICE_CODES },
} as const;
export type SignerCode = keyof typeof SIGNER_CODES;
