import { specificationOf, stateAfter } from '@tender/eventing/testing';
import { receiptDecider, type ResolveReceipt } from './decide-receipt';
import { receiptAfter, type ReceiptRecorded, type ReceiptResolved } from './receipt';
import history from './recorded/receipt-v1.json';

const given = specificationOf(receiptDecider);
const recorded = history.ReceiptRecorded as ReceiptRecorded;
const resolved = history.ReceiptResolved as ReceiptResolved;
const record = { type: 'RecordReceipt', receipt: recorded.data } as const;
const accepted: ResolveReceipt = {
  type: 'ResolveReceipt',
  action: 'accept',
  note: resolved.data.resolution_note,
  resolved_at: resolved.data.resolved_at,
  operating_wallet: null,
};

test('money that pays nothing is recorded', () => given().when(record).then(recorded));

test('recorded again, even at another time, it stays as it was', () =>
  given(recorded)
    .when({ ...record, receipt: { ...recorded.data, created_at: '2026-02-01T00:00:00.000Z' } })
    .then());

test('recorded again after it was resolved, it stays resolved', () =>
  given(recorded, resolved).when(record).then());

describe('resolving', () => {
  test('accepted, with a note', () => given(recorded).when(accepted).then(resolved));
  test('accepted, without one', () =>
    given(recorded)
      .when({ ...accepted, note: null })
      .then({ ...resolved, data: { ...resolved.data, resolution_note: null } }));
  test('is done once', () =>
    given(recorded, resolved).when(accepted).thenRefused('receipt_already_resolved'));
  test('money that Tender does not sign for is not refunded', () =>
    given(recorded).when({ ...accepted, action: 'refund' }).thenRefused('receipt_not_refundable'));
  test('a refund of what is resolved is refused for that', () =>
    given(recorded, resolved)
      .when({ ...accepted, action: 'refund' })
      .thenRefused('receipt_already_resolved'));
  test('what was never recorded', () => given().when(accepted).thenRefused('receipt_unknown'));
});

test('a history of before there were resolutions folds as unresolved', () => {
  const state = stateAfter(receiptDecider, [recorded]);
  expect(state).toEqual({ ...recorded.data, status: 'recorded' });
  expect(stateAfter(receiptDecider, [recorded, resolved])).toMatchObject({
    ...recorded.data,
    resolution: 'accepted',
  });
});

test.each([[[recorded]], [[recorded, resolved]]])(
  'the last event alone tells the same as the whole history (%#)',
  (events) => {
    const last = events.at(-1) as ReceiptRecorded | ReceiptResolved;
    const state = { ...receiptAfter(last), status: 'recorded' };
    expect(state).toEqual(stateAfter(receiptDecider, events));
  },
);

test('an event of a later version changes nothing', () => {
  const later = { type: 'ReceiptNoted', data: {} } as unknown as ReceiptResolved;
  const before = stateAfter(receiptDecider, [recorded]);
  expect(stateAfter(receiptDecider, [recorded, later])).toEqual(before);
});
