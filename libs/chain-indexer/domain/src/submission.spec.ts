import { faultOfSubmission, type Submission } from './submission';

const ours: Submission = {
  signature: 'sig1',
  payment_id: 'p1',
  merchant_id: 'm1',
  customer_wallet: 'customer',
  is_ours: true,
  expires_at_ms: 1_000_000,
};
const landed = (failed: boolean, block_time = 1000) => ({ failed, block_time });

test.each([
  ['failed', ours, landed(true), false, 'failed_on_chain'],
  ['paid less than is due', ours, landed(false), false, 'without_effect'],
  ['paid', ours, landed(false), true, null],
  ['failed after the expiry, which ends the payment itself', ours, landed(true, 1001), false, null],
  ['failed and is of a stranger', { ...ours, is_ours: false }, landed(true), false, null],
] as const)('what was handed in has %s', (_, submission, transaction, has_paid, fault) => {
  expect(faultOfSubmission(submission, transaction, has_paid)).toBe(fault);
});
