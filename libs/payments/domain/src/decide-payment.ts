import {
  accept,
  fromUnits,
  refuse,
  type Decider,
  type Decision,
  type Refused,
  type Token,
} from '@tender/kernel';
import { buildTransaction, submitTransaction } from './decide-checkout';
import { collectCustomerInfo } from './collect-customer-info';
import {
  cancelHold,
  completeSettlement,
  failSettlement,
  requestSettlement,
  retrySettlement,
  sendSettlement,
} from './decide-settlement';
import {
  evolvePayment,
  UNKNOWN_PAYMENT,
  type KnownPayment,
  type Payment,
  type PaymentCreated,
  type PaymentEvent,
} from './payment';

const CENT_PLACES = 2;

export interface CreatePayment {
  readonly type: 'CreatePayment';
  readonly payment: PaymentCreated['data'];
  /** What the merchant may ask for at most, USD cents. */
  readonly amount_max: bigint;
}

/** Money that the indexer found and gave to this payment: the net credit of one transaction. */
export interface Credit {
  readonly token: string;
  readonly token_mint: string | null;
  /** Base units. */
  readonly amount: bigint;
  readonly transaction_signature: string;
  readonly slot?: number;
  readonly from_wallet: string | null;
  readonly block_time: string;
}

export interface ConfirmPayment {
  readonly type: 'ConfirmPayment';
  readonly credit: Credit;
  readonly settlement_id: string;
}

export interface ExpirePayment {
  readonly type: 'ExpirePayment';
  /** The indexer has seen every block up to this time. */
  readonly watermark: string;
}

/**
 * Only for a transaction that this service built, signed by the bound wallet, handed in at submit and
 * final without the due effect: a stranger’s bad transfer ends nothing (specification §2.7).
 */
export interface FailPayment {
  readonly type: 'FailPayment';
  readonly transaction_signature: string;
  readonly slot?: number;
  readonly customer_wallet: string | null;
  readonly reason: string;
}

/** What happens to a payment, by the type of the command. */
export const paymentDecider = {
  initial: UNKNOWN_PAYMENT,
  evolve: evolvePayment,
  decide: {
    CreatePayment: createPayment,
    BuildTransaction: buildTransaction,
    SubmitTransaction: submitTransaction,
    ConfirmPayment: confirmPayment,
    ExpirePayment: expirePayment,
    FailPayment: failPayment,
    CollectCustomerInfo: collectCustomerInfo,
    RequestSettlement: requestSettlement,
    RetrySettlement: retrySettlement,
    SendSettlement: sendSettlement,
    CompleteSettlement: completeSettlement,
    FailSettlement: failSettlement,
    CancelHold: cancelHold,
  },
} satisfies Decider<Payment, PaymentEvent>;

const unknownPayment = (): Refused<'payment_unknown'> => refuse('payment_unknown');

function createPayment(
  { payment, amount_max }: CreatePayment,
  state: Payment,
): Decision<PaymentEvent, 'payment_exists' | 'amount_too_large'> {
  if (state.status !== 'unknown') return refuse('payment_exists');
  if (BigInt(payment.terms.amount_usd_cents) > amount_max) {
    return refuse('amount_too_large', { amount_max_usd: fromUnits(amount_max, CENT_PLACES) });
  }
  return accept<PaymentEvent>({ type: 'PaymentCreated', data: payment });
}

/** Why a credit does not pay: what it is then recorded as. */
export type UnpayingCredit = 'credit_wrong_mint' | 'credit_short' | 'credit_late' | 'credit_duplicate';

/** The allocation was decided on the credit’s own stream; what the payment needs is checked once more. */
function confirmPayment(
  { credit, settlement_id }: ConfirmPayment,
  state: Payment,
): Decision<PaymentEvent, 'payment_unknown' | UnpayingCredit> {
  if (state.status === 'unknown') return unknownPayment();
  const { terms } = state;
  if (state.transaction_signature === credit.transaction_signature) return accept<PaymentEvent>();
  if (state.status === 'confirmed') return refuse('credit_duplicate');
  if (!isInToken(credit, terms)) return refuse('credit_wrong_mint');
  if (state.status !== 'pending') return refuse('credit_late');
  if (credit.block_time > terms.expires_at) return refuse('credit_late');
  if (credit.amount < BigInt(terms.token_amount)) return refuse('credit_short');

  const confirmation = {
    transaction_signature: credit.transaction_signature,
    ...(credit.slot === undefined ? {} : { slot: credit.slot }),
    customer_wallet: credit.from_wallet,
    confirmed_at: laterOf(credit.block_time, terms.created_at),
    received: credit.amount.toString(),
  };
  const confirmed: PaymentEvent = { type: 'PaymentConfirmed', data: { terms, confirmation } };
  if (terms.hold) return accept<PaymentEvent>(confirmed);
  // Straight to the merchant’s wallet: what confirms it also settles it.
  const data = { terms, confirmation, settlement_id };
  return accept<PaymentEvent>(confirmed, { type: 'PaymentSettled', data });
}

/** Of two times in ISO 8601. A validator’s clock may be behind ours, and no payment is paid before it is made. */
const laterOf = (one: string, other: string): string => (one > other ? one : other);

const isInToken = (
  credit: Credit,
  terms: { readonly token: Token; readonly token_mint: string | null },
): boolean => credit.token === terms.token && credit.token_mint === terms.token_mint;

/** Expiry is a fact of the chain: nothing on time can follow the close of the watch (C3). */
function expirePayment(
  { watermark }: ExpirePayment,
  state: Payment,
): Decision<PaymentEvent, 'payment_unknown' | 'expiry_too_early'> {
  if (state.status === 'unknown') return unknownPayment();
  if (state.status !== 'pending') return accept<PaymentEvent>();
  if (watermark <= state.terms.expires_at) return refuse('expiry_too_early');
  return accept<PaymentEvent>({
    type: 'PaymentExpired',
    data: { terms: state.terms, watermark },
  });
}

function failPayment(
  { transaction_signature, slot, customer_wallet, reason }: FailPayment,
  state: Payment,
): Decision<PaymentEvent, 'payment_unknown'> {
  if (state.status === 'unknown') return unknownPayment();
  if (state.status !== 'pending') return accept<PaymentEvent>();
  const { terms } = state;
  const where = { transaction_signature, ...(slot === undefined ? {} : { slot }) };
  return accept<PaymentEvent>({
    type: 'PaymentFailed',
    data: { terms, ...where, customer_wallet, reason },
  });
}

/** The part of a confirming credit that was not due; 0 when it was exact. */
export const surplusOf = (credit: Credit, { terms }: KnownPayment): bigint =>
  credit.amount - BigInt(terms.token_amount);
