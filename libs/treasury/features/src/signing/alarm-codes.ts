import { ANSWER_NOT_GENUINE } from './ask-signer';

/**
 * Codes that no honest treasury and no honest signer causes (`docs/custody.md`). Signers judge for themselves: this
 * list only says what is counted, and what freezes a wallet when it comes three times.
 */
export const ALARM_CODES: ReadonlySet<string> = new Set([
  // The bytes are not what the operation says.
  ...['tx_version_unsupported', 'tx_lookup_table_forbidden', 'tx_not_canonical', 'tx_wallet_not_signer'],
  ...['tx_wallet_pays_fee', 'tx_foreign_authority', 'tx_program_forbidden', 'tx_instruction_forbidden'],
  ...['tx_priority_fee_too_high', 'tx_transfer_count', 'tx_source_mismatch', 'tx_destination_mismatch'],
  ...['tx_amount_mismatch', 'tx_mint_mismatch', 'marker_missing', 'marker_mismatch'],
  // The operation is none that this wallet is for.
  ...['op_type_not_allowed', 'op_changed', 'mode_mismatch', 'destination_not_whitelisted'],
  // Of a signature.
  ...['session_binding_mismatch', 'peer_signature_invalid', 'quorum_member_invalid'],
  ...['own_commitment_missing', 'commitment_invalid', 'nonce_already_consumed', 'signer_share_invalid'],
  ANSWER_NOT_GENUINE,
  // Of a ceremony.
  ...['dkg_wrong_session', 'dkg_bad_signature', 'dkg_transcript_mismatch', 'dkg_group_key_mismatch'],
  ...['dkg_share_invalid', 'dkg_out_of_order', 'dkg_incomplete', 'dkg_unexpected_message'],
  ...['dkg_malformed', 'dkg_proof_invalid', 'dkg_recovery_mismatch', 'dkg_plan_invalid'],
  'roster_invalid',
]);

export const isAlarm = (code: string): boolean => ALARM_CODES.has(code);
