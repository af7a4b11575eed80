import { accept, invariant, type Decider, type Decision } from '@tender/kernel';
import type { Credit } from './credits-of';
import type { AllocatedMoney, ReceivedMoney } from './facts';
import { judgeCredit, type Unpaying } from './judge-credit';
import type { Watch } from './watch';

/** Decides what a credit pays. `candidates`: the watches of its wallet that the transaction names. */
export interface SettleCredit {
  readonly type: 'SettleCredit';
  readonly credit: Credit;
  readonly candidates: readonly Watch[];
  /** Of the credit's mint; null for one that this service does not take. */
  readonly token: string | null;
  /** ISO 8601. */
  readonly block_time: string;
}
/** Tells the owners of the wallet of money that names no payment, once no watch can still claim it. */
export interface ReportCredit {
  readonly type: 'ReportCredit';
  readonly merchant_ids: readonly string[];
  /** The merchant whose operating wallet has sent it; null for money of others. */
  readonly sent_by: string | null;
}

/** Everything a receipt of this money says, but whose it is and why. */
export type CreditMoney = Omit<ReceivedMoney, 'merchant_id' | 'payment_id' | 'reason' | 'shared_wallet'>;

export type CreditEvent =
  | { readonly type: 'CreditAllocated'; readonly data: AllocatedMoney }
  | {
      readonly type: 'CreditUnmatched';
      readonly data: CreditMoney & {
        readonly reason: Unpaying | 'no_reference';
        /** The first payment that the transaction names; null with `no_reference`. */
        readonly payment_id: string | null;
        readonly merchant_id: string | null;
      };
    }
  | { readonly type: 'MoneyReceived'; readonly data: ReceivedMoney };

export type CreditState =
  | { readonly status: 'unseen' }
  | { readonly status: 'allocated'; readonly money: AllocatedMoney }
  | { readonly status: 'named'; readonly money: ReceivedMoney }
  | { readonly status: 'held'; readonly money: CreditMoney }
  | { readonly status: 'reported'; readonly money: CreditMoney };

const UNSEEN: CreditState = { status: 'unseen' };

/**
 * The one place where a credit finds its payment (M7): whole, to the first named watch that it
 * satisfies, for ever. Money that named nothing may still be claimed by a watch that came after it.
 */
export const creditDecider = {
  initial: UNSEEN,
  evolve,
  decide: { SettleCredit: settle, ReportCredit: report },
} satisfies Decider<CreditState, CreditEvent>;

function settle(command: SettleCredit, state: CreditState): Decision<CreditEvent, never> {
  if (state.status === 'allocated' || state.status === 'named') return accept<CreditEvent>();
  const { credit, candidates, token, block_time } = command;
  const paid = candidates.find((watch) => judgeCredit(credit, watch) === 'pays');
  if (paid) {
    const { payment_id, merchant_id } = paid;
    const { mint: token_mint, signature: transaction_signature, slot, from_wallet } = credit;
    const amount = credit.amount.toString();
    return accept<CreditEvent>({
      type: 'CreditAllocated',
      data: {
        payment_id,
        merchant_id,
        token: paid.token,
        token_mint,
        amount,
        transaction_signature,
        slot,
        from_wallet,
        block_time,
      },
    });
  }
  // Its owners have heard of it as money without a payment; only an allocation changes that.
  if (state.status === 'reported') return accept<CreditEvent>();
  const [named] = candidates;
  if (!named && state.status === 'held') return accept<CreditEvent>();
  const verdict = named ? judgeCredit(credit, named) : 'no_reference';
  invariant(verdict !== 'pays', 'a credit that pays a watch was allocated');
  return accept<CreditEvent>({
    type: 'CreditUnmatched',
    data: {
      reason: verdict,
      payment_id: named?.payment_id ?? null,
      merchant_id: named?.merchant_id ?? null,
      token,
      token_mint: credit.mint,
      account: credit.account,
      wallet: credit.wallet,
      amount: credit.amount.toString(),
      transaction_signature: credit.signature,
      slot: credit.slot,
      from_wallet: credit.from_wallet,
      block_time,
    },
  });
}

function report(
  { merchant_ids, sent_by }: ReportCredit,
  state: CreditState,
): Decision<CreditEvent, never> {
  if (state.status !== 'held') return accept<CreditEvent>();
  // A merchant's own money, on its way from one of its wallets to another: the transfer says so.
  if (sent_by !== null && merchant_ids.includes(sent_by)) return accept<CreditEvent>();
  const shared_wallet = merchant_ids.length > 1;
  const { money } = state;
  return accept<CreditEvent>(
    ...merchant_ids.map((merchant_id): CreditEvent => ({
      type: 'MoneyReceived',
      data: { ...money, merchant_id, payment_id: null, reason: 'no_reference', shared_wallet },
    })),
  );
}

function evolve(state: CreditState, event: CreditEvent): CreditState {
  switch (event.type) {
    case 'CreditAllocated':
      return { status: 'allocated', money: event.data };
    case 'CreditUnmatched': {
      const { reason, payment_id, merchant_id, ...money } = event.data;
      if (reason === 'no_reference' || merchant_id === null) return { status: 'held', money };
      const named = { ...money, reason, payment_id, merchant_id, shared_wallet: false };
      return { status: 'named', money: named };
    }
    case 'MoneyReceived': {
      const money = state.status === 'held' || state.status === 'reported' ? state.money : event.data;
      return { status: 'reported', money };
    }
  }
}
