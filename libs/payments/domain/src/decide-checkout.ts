import { accept, refuse, type Decision, type Refused } from '@tender/kernel';
import {
  boundWallet,
  checkoutOf,
  isDead,
  type BuiltTransaction,
  type SubmittedTransaction,
} from './checkout';
import { lacksCustomerInfo, type KnownPayment, type Payment, type PaymentEvent } from './payment';

/** Binds the payment to a wallet, with the transaction that it is to sign. */
export interface BuildTransaction {
  readonly type: 'BuildTransaction';
  readonly build: BuiltTransaction;
  /** Message of a gasless build that no sponsor will sign: it cannot land, and this one may take its place. */
  readonly replaces: string | null;
  readonly seen: Seen;
}

/** Records what the customer has handed in; only then is anything sent. */
export interface SubmitTransaction {
  readonly type: 'SubmitTransaction';
  readonly submission: SubmittedTransaction;
  readonly seen: Seen;
}

/** The world as a command finds it. */
export interface Seen {
  /** Business time, ISO 8601. */
  readonly at: string;
  /** Block height of the chain's final part. */
  readonly finalized_height: number;
  /** A submitted transaction whose blockhash is dead and that is not on the chain: it never will be. */
  readonly dropped: string | null;
}

/** Signatures that this service did not build; more of one payment are a flood. */
const FOREIGN_SIGNATURES_MAX = 20;

export type TooLate = 'payment_unknown' | 'payment_expired' | 'invalid_payment_state';
export type Unsubmittable = TooLate | 'wallet_mismatch' | 'submission_in_flight';
export type Unbuildable = Unsubmittable | 'customer_info_required';

/** Whether a customer may still pay: from `expires_at` on nothing is built or taken, whatever the status reads. */
export function tooLate(state: Payment, at: string): Refused<TooLate> | null {
  if (state.status === 'unknown') return refuse('payment_unknown');
  const { status, terms } = state;
  if (status === 'confirmed' || status === 'failed') return refuse('invalid_payment_state', { status });
  if (status === 'expired' || at >= terms.expires_at) {
    return refuse('payment_expired', { expires_at: terms.expires_at });
  }
  return null;
}

/** With the ends of the bound wallet’s address: its owner knows it by them, and a stranger learns no more. */
export const walletMismatch = (bound: string): Refused<'wallet_mismatch'> =>
  refuse('wallet_mismatch', { bound_wallet: `${bound.slice(0, 4)}…${bound.slice(-4)}` });

/**
 * What stands in the way of building for this wallet; else the build that still counts for it, or null. A wallet may
 * send what it has signed, so two builds that can both land are two payments: the first has to be dead.
 */
export function buildableFor(
  payer_wallet: string,
  state: Payment,
  { at, finalized_height, dropped }: Seen,
  replaces: string | null = null,
): Refused<Unbuildable> | { readonly ok: true; readonly current: BuiltTransaction | null } {
  const refused = tooLate(state, at);
  if (refused) return refused;
  const known = state as KnownPayment;
  if (lacksCustomerInfo(known)) return refuse('customer_info_required');
  const checkout = checkoutOf(known);
  const bound = boundWallet(checkout, finalized_height);
  if (bound !== null && bound !== payer_wallet) return walletMismatch(bound);
  const { build, in_flight } = checkout;
  if (build === null) return { ok: true, current: null };
  if (in_flight !== null && in_flight !== dropped) {
    return refuse('submission_in_flight', { transaction_signature: in_flight });
  }
  const is_over = isDead(build, finalized_height) || build.message === replaces;
  return { ok: true, current: is_over ? null : build };
}

export function buildTransaction(
  { build, seen, replaces }: BuildTransaction,
  state: Payment,
): Decision<PaymentEvent, Unbuildable> {
  const buildable = buildableFor(build.payer_wallet, state, seen, replaces);
  if (!buildable.ok) return buildable;
  // Asked at the same moment as another: the first of the two is the build.
  if (buildable.current !== null) return accept<PaymentEvent>();
  const { terms } = state as KnownPayment;
  return accept<PaymentEvent>({ type: 'TransactionBuilt', data: { terms, build } });
}

export function submitTransaction(
  { submission, seen }: SubmitTransaction,
  state: Payment,
): Decision<PaymentEvent, Unsubmittable> {
  const { transaction_signature, customer_wallet, is_ours } = submission;
  if (isHandedIn(state, transaction_signature)) return accept<PaymentEvent>();
  const refused = tooLate(state, seen.at);
  if (refused) return refused;
  const { terms, ...rest } = state as KnownPayment;
  const { build, in_flight, signatures } = checkoutOf(rest);
  const bound = boundWallet({ build, in_flight, signatures }, seen.finalized_height);
  if (bound !== null && customer_wallet !== null && bound !== customer_wallet) {
    return walletMismatch(bound);
  }
  const is_full = !is_ours && signatures.length >= FOREIGN_SIGNATURES_MAX;
  if ((is_ours && in_flight !== null) || is_full) {
    const transaction_signature = in_flight ?? signatures.at(-1);
    return refuse('submission_in_flight', { transaction_signature });
  }
  return accept<PaymentEvent>({ type: 'TransactionSubmitted', data: { terms, submission } });
}

/** Handed in before, or the very one that has paid: again is no fault. */
export const isHandedIn = (state: Payment, signature: string): boolean =>
  state.status !== 'unknown' &&
  (state.transaction_signature === signature || checkoutOf(state).signatures.includes(signature));
