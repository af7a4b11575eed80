import { invalidTransaction } from './payable-payment';

test.each([
  ['would_fail', 'The transaction would fail on chain'],
  ['simulation_failed', 'The transaction would fail on chain'],
  ['reference_missing', 'The transaction does not name this payment.'],
  ['instruction_changed', 'The transaction is not the one that was built for this payment.'],
])('the sentence of %s says what is wrong', (reason, sentence) => {
  const { message, details } = invalidTransaction(reason, { error: 'e' });
  expect(message).toContain(sentence);
  expect(details).toEqual({ reason, error: 'e' });
});
