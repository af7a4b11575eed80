import { meaningOf, SIGNER_CODES } from './signer-codes';

/** Each of these calls an operator: an honest treasury causes none of them. */
const alarms = Object.entries(SIGNER_CODES).filter(([, { alarm }]) => alarm);

test('every code says what it means, once, in a sentence', () => {
  const sentences = Object.values(SIGNER_CODES).map(({ says }) => says);
  for (const says of sentences) expect(says).toMatch(/^[A-Z].+\.$/);
  expect(new Set(sentences).size).toBe(sentences.length);
});

test('all that is wrong with bytes is an alarm', () => {
  const names = alarms.map(([code]) => code);
  for (const code of Object.keys(SIGNER_CODES)) {
    if (/^(tx|marker|dkg)_/.test(code)) expect(names).toContain(code);
  }
});

test('nothing that time, a silent node or a busy signer can cause is an alarm or ends an operation', () => {
  const passing = [
    ...['op_expired', 'op_already_in_flight', 'credit_not_found', 'blockhash_not_valid'],
    ...['evidence_unavailable', 'signer_unavailable', 'signer_session_expired', 'session_unknown'],
    ...['session_used', 'sessions_busy', 'epoch_mismatch', 'wallet_unknown', 'key_invalid'],
  ];
  for (const code of passing) {
    expect([code, meaningOf(code)]).toMatchObject([code, { refuses: 'attempt', alarm: false }]);
  }
});

test('nothing that a merchant’s passkey can get wrong is an alarm or ends an operation', () => {
  const names = Object.keys(SIGNER_CODES).filter((code) => /^(passkeys?|user)_/.test(code));
  expect(names).toHaveLength(12);
  for (const code of names) {
    expect([code, meaningOf(code)]).toMatchObject([code, { refuses: 'attempt', alarm: false }]);
  }
});

test('only what the operation or its bytes say ends an operation', () => {
  const ending = Object.entries(SIGNER_CODES).filter(([, { refuses }]) => refuses === 'operation');
  for (const [code] of ending) {
    expect(code).toMatch(/^(tx|marker|op|credit|mode|destination|day_limit|wallet_frozen)/);
  }
});

test('of a code that only a newer signer has nothing is known, whatever its name', () => {
  expect(['constructor', 'a_newer_code'].map(meaningOf)).toEqual([null, null]);
});
