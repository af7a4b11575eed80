import { specificationOf, stateAfter } from '@tender/eventing/testing';
import type { CommandOf } from '@tender/kernel';
import {
  receiptDecider,
  type CompleteReceiptRefund,
  type FailReceiptRefund,
  type ResolveReceipt,
} from './decide-receipt';
import {
  receiptAfter,
  type ReceiptEvent,
  type ReceiptRecorded,
  type ReceiptRefundFailed,
  type ReceiptRefundRequested,
  type ReceiptResolved,
} from './receipt';
import history from './recorded/receipt-refund-v1.json';

const given = specificationOf(receiptDecider);
const recorded = history.OperatingWalletReceiptRecorded as ReceiptRecorded;
const requested = history.ReceiptRefundRequested as ReceiptRefundRequested;
const failed = history.ReceiptRefundFailed as ReceiptRefundFailed;
const again = history.ReceiptRefundRequestedAgain as ReceiptRefundRequested;
const refunded = history.ReceiptRefunded as ReceiptResolved;
const accepted = history.ReceiptAcceptedAfterFailure as ReceiptResolved;
const { refund: _, ...without_refund } = accepted.data;
const accepted_at_once: ReceiptResolved = { type: 'ReceiptResolved', data: without_refund };

const refund: ResolveReceipt = {
  ...{ type: 'ResolveReceipt', action: 'refund', note: 'Not for us' },
  ...{ resolved_at: '2026-01-02T08:00:00.000Z', operating_wallet: 'OperatingWallet' },
};
const { resolved_at } = accepted.data;
const accept: ResolveReceipt = { ...refund, action: 'accept', note: 'Kept', resolved_at };
const record = { type: 'RecordReceipt', receipt: recorded.data } as const;
const complete = (attempt: number): CompleteReceiptRefund => ({
  type: 'CompleteReceiptRefund',
  ...{ attempt, transaction_signature: `R${attempt}`, completed_at: refunded.data.resolved_at },
});
const fail = (attempt: number): FailReceiptRefund => ({
  ...{ type: 'FailReceiptRefund', failure_reason: 'insufficient_balance' },
  ...{ attempt, transaction_signature: `R${attempt}` },
});

type Command = CommandOf<typeof receiptDecider>;
const COMMANDS = {
  ...{ record, accept, refund },
  'end 1': complete(1),
  'end 2': complete(2),
  'fail 1': fail(1),
  'fail 2': fail(2),
} as const satisfies Record<string, Command>;

const first_completed: ReceiptResolved = {
  type: 'ReceiptResolved',
  data: {
    ...{ receipt: recorded.data, resolution: 'refunded', resolution_note: 'Not for us' },
    resolved_at: refunded.data.resolved_at,
    refund: { attempt: 1, note: 'Not for us', status: 'completed', transaction_signature: 'R1' },
  },
};
const second_requested: ReceiptRefundRequested = {
  type: 'ReceiptRefundRequested',
  data: { receipt: recorded.data, refund: { attempt: 2, note: 'Not for us', status: 'processing' } },
};
const second_failed: ReceiptRefundFailed = {
  type: 'ReceiptRefundFailed',
  data: {
    receipt: recorded.data,
    refund: {
      ...{ attempt: 2, note: 'Once more', status: 'failed' },
      ...{ failure_reason: 'insufficient_balance', transaction_signature: 'R2' },
    },
  },
};

const STATES: Readonly<Record<string, readonly ReceiptEvent[]>> = {
  unknown: [],
  recorded: [recorded],
  'on its way back': [recorded, requested],
  'refund failed': [recorded, requested, failed],
  'on its way back again': [recorded, requested, failed, again],
  accepted: [recorded, accepted_at_once],
  'accepted after a failed refund': [recorded, requested, failed, accepted],
  'refunded at once': [recorded, requested, first_completed],
  refunded: [recorded, requested, failed, again, refunded],
};

/** Every state and every command: the events that follow, or why not. In the order of `COMMANDS`. */
const GONE = 'receipt_unknown';
const BUSY = 'refund_in_progress';
const DONE = 'receipt_already_resolved';
const IDLE = 'refund_not_processing';
const TABLE: Readonly<Record<string, readonly (readonly ReceiptEvent[] | string)[]>> = {
  unknown: [[recorded], GONE, GONE, GONE, GONE, GONE, GONE],
  recorded: [[], [accepted_at_once], [requested], IDLE, IDLE, IDLE, IDLE],
  'on its way back': [[], BUSY, BUSY, [first_completed], IDLE, [failed], IDLE],
  'refund failed': [[], [accepted], [second_requested], IDLE, IDLE, [], IDLE],
  'on its way back again': [[], BUSY, BUSY, IDLE, [refunded], [], [second_failed]],
  accepted: [[], DONE, DONE, IDLE, IDLE, IDLE, IDLE],
  'accepted after a failed refund': [[], DONE, DONE, IDLE, IDLE, [], IDLE],
  'refunded at once': [[], DONE, DONE, [], IDLE, IDLE, IDLE],
  refunded: [[], DONE, DONE, IDLE, [], [], IDLE],
};

const CASES = Object.entries(TABLE).flatMap(([state, row]) =>
  Object.entries(COMMANDS).map(([name, command], index) => {
    const then = row[index] as readonly ReceiptEvent[] | string;
    return [state, name, typeof then === 'string' ? then : 'goes on', command, then] as const;
  }),
);

test.each(CASES)('%s, %s: %s', (state, _name, _then, command, then) => {
  const { decision } = given(...(STATES[state] as readonly ReceiptEvent[])).when<Command>(command);
  expect(decision).toMatchObject(
    typeof then === 'string' ? { ok: false, refusal: then } : { ok: true, events: then },
  );
});

test('the table has every state and every command', () => {
  expect(Object.keys(TABLE)).toEqual(Object.keys(STATES));
  expect(Object.values(TABLE).map((row) => row.length)).toEqual(
    Object.keys(TABLE).map(() => Object.keys(COMMANDS).length),
  );
});

const of = (changes: Partial<ReceiptRecorded['data']>): ReceiptRecorded => ({
  ...recorded,
  data: { ...recorded.data, ...changes },
});
const { wallet: _wallet, ...older } = recorded.data;

test.each([
  ['in another wallet than that which Tender signs for', of({ wallet: 'OwnWallet' }), refund],
  ['where the merchant has no operating wallet', recorded, { ...refund, operating_wallet: null }],
  ['from before receipts named the wallet', { ...recorded, data: older }, refund],
  ['of a token that Tender does not take', of({ token: null }), refund],
  ['that never came', of({ amount: '0', reason: 'failed_on_chain' }), refund],
  ['of which it is not known who sent it', of({ from_wallet: null }), refund],
])('money %s is not refunded, and can be accepted', (_name, money, asked) => {
  given(money as ReceiptRecorded).when(asked as ResolveReceipt).thenRefused('receipt_not_refundable');
  expect(given(money as ReceiptRecorded).when(accept).decision).toMatchObject({ ok: true });
});

test.each(Object.entries(STATES).filter(([, events]) => events.length > 0))(
  '%s: the last event alone tells the same as the whole history',
  (_name, events) => {
    const state = { ...receiptAfter(events.at(-1) as ReceiptEvent), status: 'recorded' };
    expect(state).toEqual(stateAfter(receiptDecider, events));
  },
);
