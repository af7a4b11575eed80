import { attemptOf, refundOfTransfer, refundTransferId, transferIdOf } from './transfer-ids';

const PAYMENT = `pay_test_${'a1'.repeat(11)}`;
const REFUND = '0190a1b2-c3d4-8e5f-a6b7-c8d9e0f1a2b2';

test('the first attempt has the id of what it is for, later ones their number', () => {
  expect([1, 2, 11].map((attempt) => transferIdOf('set_test_x', attempt))).toEqual([
    ...['set_test_x', 'set_test_x:2', 'set_test_x:11'],
  ]);
  for (const attempt of [1, 2, 11]) {
    expect(attemptOf(transferIdOf('rcpt_x', attempt))).toEqual({ id: 'rcpt_x', attempt });
  }
});

test('a refund’s transfer names its payment and the refund, and no other transfer does', () => {
  const transfer_id = refundTransferId(PAYMENT, REFUND);
  expect(refundOfTransfer(transfer_id)).toEqual({ payment_id: PAYMENT, refund_id: REFUND });
  expect(attemptOf(transfer_id)).toBeNull();
  for (const other of ['set_test_x', 'set_test_x:2', PAYMENT, `${PAYMENT}:2`]) {
    expect(refundOfTransfer(other)).toBeNull();
  }
});
