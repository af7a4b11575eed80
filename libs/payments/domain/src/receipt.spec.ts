import { specificationOf } from '@tender/eventing/testing';
import { receiptDecider, type ReceiptRecorded } from './receipt';
import history from './recorded/receipt-v1.json';

const given = specificationOf(receiptDecider);
const recorded = history.ReceiptRecorded as ReceiptRecorded;
const command = { type: 'RecordReceipt', receipt: recorded.data } as const;

test('money that pays nothing is recorded', () => given().when(command).then(recorded));

test('recorded again, even at another time, it stays as it was', () =>
  given(recorded)
    .when({ ...command, receipt: { ...recorded.data, created_at: '2026-02-01T00:00:00.000Z' } })
    .then());
