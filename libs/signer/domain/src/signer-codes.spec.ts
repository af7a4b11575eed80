import { SIGNER_CODES } from './signer-codes';

/** Each of these calls an operator: an honest treasury causes none of them. */
const alarms = Object.entries(SIGNER_CODES).filter(([, { alarm }]) => alarm);

test('every code says what it means, once, in a sentence', () => {
  const sentences = Object.values(SIGNER_CODES).map(({ says }) => says);
  for (const says of sentences) expect(says).toMatch(/^[A-Z].+\.$/);
  expect(new Set(sentences).size).toBe(sentences.length);
});

test('all that is wrong with bytes is an alarm, and nothing that time or a busy chain can cause', () => {
  const names = alarms.map(([code]) => code);
  for (const code of Object.keys(SIGNER_CODES)) {
    if (/^(tx|marker|dkg)_/.test(code)) expect(names).toContain(code);
  }
  const caused_by_time = [
    'op_expired',
    'op_already_in_flight',
    'credit_not_found',
    'signer_session_expired',
  ];
  for (const code of [
    ...caused_by_time,
    'signer_unavailable',
    'blockhash_not_valid',
    'session_unknown',
  ]) {
    expect(names).not.toContain(code);
  }
});
