import { accept, type Decider, type Decision } from '@tender/kernel';
import type { AllocatedMoney, FailedSubmission, ReceivedMoney } from './facts';

/** A credit was allocated to this watch on the credit's own stream. */
export interface TakeCredit {
  readonly type: 'TakeCredit';
  readonly money: AllocatedMoney;
  readonly account: string;
  readonly wallet: string;
}
/** Money, or a failed try, that names this payment and does not pay it. */
export interface TakeReceipt {
  readonly type: 'TakeReceipt';
  readonly money: ReceivedMoney;
}
/** What the bound wallet signed is on the chain, and does not pay. */
export interface FailSubmission {
  readonly type: 'FailSubmission';
  readonly failed: FailedSubmission;
}
/** The chain was seen whole up to `watermark` (ISO 8601), which is past the payment's expiry. */
export interface CloseWatch {
  readonly type: 'CloseWatch';
  readonly payment_id: string;
  readonly merchant_id: string;
  readonly watermark: string;
}
export type WatchEvent =
  | { readonly type: 'CreditAllocated'; readonly data: AllocatedMoney }
  | { readonly type: 'MoneyReceived'; readonly data: ReceivedMoney }
  | { readonly type: 'SubmissionFailed'; readonly data: FailedSubmission }
  | {
      readonly type: 'WatchClosed';
      readonly data: {
        readonly payment_id: string;
        readonly merchant_id: string;
        readonly watermark: string;
      };
    };

export interface WatchState {
  readonly status: 'open' | 'paid' | 'closed';
  /** `<signature>:<account>:<mint>:<reason>` of the receipts that the stream already has. */
  readonly receipts: readonly string[];
}

const receiptKey = (money: ReceivedMoney): string =>
  `${money.transaction_signature}:${money.account}:${money.token_mint ?? 'SOL'}:${money.reason}`;

type WatchDecision = Decision<WatchEvent, never>;

const OPEN: WatchState = { status: 'open', receipts: [] };

/** One credit pays a payment; whatever else names it becomes a receipt, never silence (C2). */
export const watchDecider = {
  initial: OPEN,
  evolve,
  decide: {
    TakeCredit: takeCredit,
    TakeReceipt: takeReceipt,
    FailSubmission: failSubmission,
    CloseWatch: closeWatch,
  },
} satisfies Decider<WatchState, WatchEvent>;

function takeCredit({ money, account, wallet }: TakeCredit, state: WatchState): WatchDecision {
  if (state.status === 'open') return accept<WatchEvent>({ type: 'CreditAllocated', data: money });
  const reason = state.status === 'paid' ? 'duplicate' : 'late';
  const data: ReceivedMoney = { ...money, account, wallet, reason, shared_wallet: false };
  return accept<WatchEvent>({ type: 'MoneyReceived', data });
}

function takeReceipt({ money }: TakeReceipt, state: WatchState): WatchDecision {
  return state.receipts.includes(receiptKey(money))
    ? accept<WatchEvent>()
    : accept<WatchEvent>({ type: 'MoneyReceived', data: money });
}

function failSubmission({ failed }: FailSubmission, state: WatchState): WatchDecision {
  return state.status === 'open'
    ? accept<WatchEvent>({ type: 'SubmissionFailed', data: failed })
    : accept<WatchEvent>();
}

function closeWatch(
  { payment_id, merchant_id, watermark }: CloseWatch,
  state: WatchState,
): WatchDecision {
  return state.status === 'open'
    ? accept<WatchEvent>({ type: 'WatchClosed', data: { payment_id, merchant_id, watermark } })
    : accept<WatchEvent>();
}

function evolve(state: WatchState, event: WatchEvent): WatchState {
  switch (event.type) {
    case 'CreditAllocated':
      return { ...state, status: 'paid' };
    case 'SubmissionFailed':
    case 'WatchClosed':
      return { ...state, status: 'closed' };
    case 'MoneyReceived':
      return { ...state, receipts: [...state.receipts, receiptKey(event.data)] };
  }
}
