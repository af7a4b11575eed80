import { foldedView, projectionFollower } from '@tender/eventing';
import type { Mode } from '@tender/kernel';
import { evolveReceipt, UNKNOWN_RECEIPT, type Receipt, type ReceiptRecorded } from '@tender/payments-domain';

const NAME = 'payments.receipts@1';
export const receiptsFollower = (mode: Mode): string => projectionFollower(NAME, mode);

export const receipts = foldedView<Receipt, ReceiptRecorded>({
  name: NAME,
  noun: 'receipt',
  modes: ['test', 'live'],
  table: 'payments.receipts',
  initial: UNKNOWN_RECEIPT,
  evolve: evolveReceipt,
  columns: {
    merchant_id: 'text',
    mode: 'text',
    payment_id: 'text',
    reason: 'text',
    created_at: 'text',
  },
  rowOf(_, event) {
    const { merchant_id, mode, payment_id, reason, created_at } = event.data;
    return { merchant_id, mode, payment_id, reason, created_at };
  },
});
