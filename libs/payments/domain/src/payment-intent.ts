import type { Currency, Mode } from '@tender/kernel';
import type { HoldCanceler } from './hold';
import type { PaymentCreated } from './payment';

/** What an intent is about: fixed when it is created. */
export interface IntentTerms {
  readonly payment_intent_id: string;
  readonly merchant_id: string;
  readonly mode: Mode;
  /** Minor units of `currency`. What is due in the token is fixed when it is confirmed. */
  readonly amount_minor: string;
  readonly currency: Currency;
  readonly description: string | null;
  /** `manual`: the money is held until it is captured or canceled. */
  readonly capture_method: 'automatic' | 'manual';
  readonly metadata: Readonly<Record<string, unknown>>;
  /** ISO 8601 with milliseconds, UTC. */
  readonly created_at: string;
  readonly expires_at: string;
}

/** By what an intent is paid: fixed when it is confirmed. */
export interface IntentPayment {
  readonly payment_id: string;
  readonly payment_url: string;
  readonly customer_wallet: string;
  readonly payment_type: 'direct' | 'gasless';
  /** The intent's, with what was added. */
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly confirmed_at: string;
}

/** Why the payment of an intent has ended without money. */
export type IntentPaymentFailure = 'payment_expired' | 'payment_failed';

export interface PaymentIntentCreated {
  readonly type: 'PaymentIntentCreated';
  readonly data: {
    readonly terms: IntentTerms;
    /** SHA-256 of the client secret, hex: 256 random bits need no slow hash. */
    readonly client_secret_hash: string;
  };
}
/** Follows at once: an event of its own, because merchants hear of it apart. */
export interface PaymentIntentRequiresPayment {
  readonly type: 'PaymentIntentRequiresPayment';
  readonly data: { readonly terms: IntentTerms };
}
/** A confirm came with another client secret. */
export interface ClientSecretRefused {
  readonly type: 'ClientSecretRefused';
  readonly data: { readonly payment_intent_id: string; readonly refused_at: string };
}
/** All that makes the payment is here, so that it is made in any case, and only once. */
export interface PaymentIntentConfirmed {
  readonly type: 'PaymentIntentConfirmed';
  readonly data: {
    readonly terms: IntentTerms;
    readonly paid_by: IntentPayment;
    readonly payment: PaymentCreated['data'];
  };
}
/** The money of a manual one has come into the operating wallet and waits there. */
export interface PaymentIntentHeld {
  readonly type: 'PaymentIntentHeld';
  readonly data: {
    readonly terms: IntentTerms;
    readonly paid_by: IntentPayment;
    readonly transaction_signature: string;
    readonly held_at: string;
    /** Not captured until then, it is canceled. */
    readonly held_until: string;
  };
}
/** The merchant wants the held money: its settlement begins. */
export interface PaymentIntentCaptured {
  readonly type: 'PaymentIntentCaptured';
  readonly data: {
    readonly terms: IntentTerms;
    readonly paid_by: IntentPayment;
    readonly transaction_signature: string;
    readonly captured_at: string;
  };
}
export interface PaymentIntentSucceeded {
  readonly type: 'PaymentIntentSucceeded';
  readonly data: {
    readonly terms: IntentTerms;
    readonly paid_by: IntentPayment;
    readonly transaction_signature: string;
    readonly succeeded_at: string;
  };
}
export interface PaymentIntentFailed {
  readonly type: 'PaymentIntentFailed';
  readonly data: {
    readonly terms: IntentTerms;
    readonly paid_by: IntentPayment;
    readonly failure_reason: IntentPaymentFailure;
    readonly failed_at: string;
  };
}
/** It was not confirmed in time. */
export interface PaymentIntentExpired {
  readonly type: 'PaymentIntentExpired';
  readonly data: { readonly terms: IntentTerms; readonly expired_at: string };
}
export interface PaymentIntentCanceled {
  readonly type: 'PaymentIntentCanceled';
  readonly data: {
    readonly terms: IntentTerms;
    readonly canceled_at: string;
    /** Of held money that goes back; missing where the intent was not confirmed. */
    readonly hold?: CanceledHold;
  };
}
export interface CanceledHold {
  readonly paid_by: IntentPayment;
  readonly transaction_signature: string;
  readonly canceled_by: HoldCanceler;
}

/** What changes what an intent is. */
export type PaymentIntentStep =
  | PaymentIntentCreated
  | PaymentIntentRequiresPayment
  | PaymentIntentConfirmed
  | PaymentIntentHeld
  | PaymentIntentCaptured
  | PaymentIntentSucceeded
  | PaymentIntentFailed
  | PaymentIntentExpired
  | PaymentIntentCanceled;
export type PaymentIntentEvent = PaymentIntentStep | ClientSecretRefused;

export type IntentStatusName =
  | 'requires_payment'
  | 'processing'
  | 'succeeded'
  | 'canceled'
  | 'failed'
  | 'expired';

export interface KnownPaymentIntent {
  readonly status: IntentStatusName;
  readonly terms: IntentTerms;
  /** Never published, so `intentAfter` lacks it. */
  readonly client_secret_hash?: string;
  /** When the newest wrong secrets came, oldest first. */
  readonly wrong_secrets_at: readonly string[];
  readonly paid_by: IntentPayment | null;
  readonly transaction_signature: string | null;
  readonly failure_reason: IntentPaymentFailure | 'expired' | null;
  /** Of a manual one, once it is paid. Never published, so `intentAfter` lacks it. */
  readonly hold?: IntentHold;
}
export interface IntentHold {
  readonly status: 'held' | 'captured' | 'canceled';
  readonly until: string;
  readonly canceled_by?: HoldCanceler;
}
export type PaymentIntent = { readonly status: 'unknown' } | KnownPaymentIntent;

export const UNKNOWN_PAYMENT_INTENT: PaymentIntent = { status: 'unknown' };

/** So many wrong secrets within the span lock the confirm of an intent for as long. */
export const WRONG_SECRETS_MAX = 5;

/** The fold: of the decider, of the row and of a GET by id alike. */
export function evolvePaymentIntent(
  state: PaymentIntent,
  event: PaymentIntentEvent,
): PaymentIntent {
  if (event.type === 'PaymentIntentCreated') {
    const { terms, client_secret_hash } = event.data;
    return { ...newIntent(terms), client_secret_hash };
  }
  if (state.status === 'unknown') return state;
  switch (event.type) {
    case 'ClientSecretRefused': {
      const before = state.wrong_secrets_at.slice(1 - WRONG_SECRETS_MAX);
      return { ...state, wrong_secrets_at: [...before, event.data.refused_at] };
    }
    case 'PaymentIntentConfirmed':
      return { ...state, status: 'processing', paid_by: event.data.paid_by };
    case 'PaymentIntentSucceeded': {
      const { paid_by, transaction_signature } = event.data;
      return { ...state, status: 'succeeded', paid_by, transaction_signature };
    }
    case 'PaymentIntentFailed': {
      const { paid_by, failure_reason } = event.data;
      return { ...state, status: 'failed', paid_by, failure_reason };
    }
    case 'PaymentIntentExpired':
      return { ...state, status: 'expired', failure_reason: 'expired' };
    case 'PaymentIntentHeld': {
      const { paid_by, transaction_signature, held_until: until } = event.data;
      const hold = { status: 'held', until } as const;
      return { ...state, status: 'processing', paid_by, transaction_signature, hold };
    }
    case 'PaymentIntentCaptured': {
      const { paid_by, transaction_signature } = event.data;
      const paid = { ...state, status: 'processing', paid_by, transaction_signature } as const;
      return state.hold ? { ...paid, hold: { ...state.hold, status: 'captured' } } : paid;
    }
    case 'PaymentIntentCanceled':
      return canceledIntent(state, event.data.hold);
    default:
      return state;
  }
}

function canceledIntent(
  state: KnownPaymentIntent,
  canceled: CanceledHold | undefined,
): KnownPaymentIntent {
  if (canceled === undefined) return { ...state, status: 'canceled' };
  const { paid_by, transaction_signature, canceled_by } = canceled;
  const paid = { ...state, status: 'canceled', paid_by, transaction_signature } as const;
  const { hold } = state;
  return hold ? { ...paid, hold: { ...hold, status: 'canceled', canceled_by } } : paid;
}

const newIntent = (terms: IntentTerms): KnownPaymentIntent => ({
  status: 'requires_payment',
  terms,
  wrong_secrets_at: [],
  paid_by: null,
  transaction_signature: null,
  failure_reason: null,
});

/** The intent right after this event, made from the event alone: what is published. */
export function intentAfter(event: PaymentIntentStep): KnownPaymentIntent {
  const intent = newIntent(event.data.terms);
  if (event.type === 'PaymentIntentCreated') return intent;
  return evolvePaymentIntent(intent, event) as KnownPaymentIntent;
}
