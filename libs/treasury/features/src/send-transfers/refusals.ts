/** Of the attempt, its session, its signers, or how a signer sees the chain now: another attempt may be signed. */
const OF_THE_ATTEMPT: ReadonlySet<string> = new Set([
  ...['op_expired', 'op_expiry_too_far', 'op_already_in_flight', 'intent_already_signed'],
  ...['blockhash_not_valid', 'credit_not_found', 'wallet_unknown'],
  ...['session_unknown', 'session_binding_mismatch', 'peer_signature_invalid'],
  ...['quorum_member_invalid', 'own_commitment_missing', 'nonce_already_consumed'],
  ...['signer_share_invalid', 'signer_session_expired', 'signer_unavailable'],
  // It has happened, which the chain has not shown here yet: that is looked for, and never a failure.
  'op_already_settled',
]);

/** Whether a refusal leaves open what the signers will make of the same operation a little later. */
export const saysNothingOfTheOperation = (code: string): boolean => OF_THE_ATTEMPT.has(code);
