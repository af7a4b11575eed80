import { formerId, receiptIds } from '@tender/contracts';
import { aggregate } from '@tender/eventing';
import { MODES } from '@tender/kernel';
import { receiptDecider, receiptSentences } from '@tender/payments-domain';

export const receipt = aggregate({
  noun: 'receipt',
  modes: MODES,
  // From when receipts' ids did not say their mode: money that was recorded then and comes again finds its stream.
  streamId: (id) => formerId(receiptIds, id),
  decider: receiptDecider,
  says: receiptSentences,
  begins: ['RecordReceipt'],
  view: {
    name: 'payments.receipts@1',
    table: 'payments.receipts',
    merchantOf: ({ merchant_id }) => merchant_id,
    columns: {
      payment_id: ['text', ({ payment_id }) => payment_id],
      reason: ['text', ({ reason }) => reason],
      resolved: ['boolean', ({ resolution }) => resolution !== undefined],
      created_at: ['text', ({ created_at }) => created_at],
    },
  },
});
