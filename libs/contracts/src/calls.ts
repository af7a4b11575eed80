import { call, commandCall, type Mode } from '@tender/kernel';
import type { PaymentSnapshot } from './payments.facts';

/** accounts: the merchant that a request is of, and in which mode. */
export interface MerchantHolder {
  readonly mode: Mode;
  readonly merchant_id: string;
  readonly merchant_name: string;
  readonly wallet: string | null;
  readonly amount_max: number;
  /** Per merchant, else the defaults (specification §1.9). */
  readonly limits: {
    readonly creation: number;
    readonly read: number;
    readonly other: number;
  } | null;
}

/** accounts: the key behind a SHA-256 (hex). Null: unknown or rotated away. */
export interface KeyHolder extends MerchantHolder {
  readonly key_id: string;
}

/** accounts: the session behind a SHA-256 (hex). Its mode is that of requests which name none. */
export interface SessionHolder extends MerchantHolder {
  readonly session_id: string;
}

/** accounts: the merchant that a set-up token was made for, whether or not it can still be used. */
export interface SetupHolder extends MerchantHolder {
  /** SHA-256 of the token, hex. */
  readonly token_hash: string;
}

/** accounts: a merchant as its payers and their payments need it. */
export interface MerchantProfile {
  readonly merchant_id: string;
  readonly name: string;
  readonly business_address: string;
  readonly support_email: string;
  /** Null until the wallet exists. */
  readonly wallet: string | null;
  /** USD cents. */
  readonly amount_max: number;
}

/** Null: there is no such merchant. */
export const describeMerchant = call<{ merchant_id: string }, MerchantProfile | null>(
  'accounts.describe-merchant',
);

/** accounts: the public key (COSE, base64url) of a merchant’s signing passkey; null: it has no such one. */
export const signingPasskey = call<
  { readonly merchant_id: string; readonly passkey_id: string },
  { readonly public_key: string } | null
>('accounts.signing-passkey');

/** payments: what a payer must know; null when there is no such payment. */
export interface PayableSummary {
  readonly payment_id: string;
  readonly merchant_id: string;
  readonly mode: Mode;
  readonly token: 'USDC' | 'USDT' | 'SOL';
  /** Base units. */
  readonly token_amount: string;
  readonly wallet_address: string;
  readonly reference: string;
  /** Where the shop wants its customer to go after paying, and after giving up. */
  readonly return_url: string | null;
  readonly cancel_url: string | null;
}

export const describePayment = call<{ payment_id: string }, PayableSummary | null>(
  'payments.describe-payment',
);

/** payments: one as `GET /payments/{id}` answers it to its merchant; null when there is none. */
export const readPayment = call<{ payment_id: string }, Required<PaymentSnapshot> | null>(
  'payments.read-payment',
);

/** chain-indexer: waits until it has seen every block of a network up to that time. */
export const chainReached = call<{ mode: Mode; block_time_ms: number }, { reached: boolean }>(
  'chain-indexer.reached',
  { deadline_ms: 60_000, answered_by: 'leader' },
);

/** chain-indexer: whether it follows a network, and if not what stands in the way. */
export const chainHealth = call<{ mode: Mode }, { healthy: boolean; reason: string | null }>(
  'chain-indexer.health',
  { answered_by: 'leader' },
);

/** chain-indexer: where it looks for a payment's money, and how far it has looked. */
export interface LookedFor {
  readonly accounts: readonly string[];
  /** Time of the last block that was read; null before the first. */
  readonly up_to: string | null;
  /** Blocks of before it heard of the payment may name it, and were not asked for yet. */
  readonly look_up_due: boolean;
}

/** chain-indexer: by the payment's reference; null while it has not heard of the payment. */
export const lookedFor = call<{ mode: Mode; reference: string }, LookedFor | null>(
  'chain-indexer.looked-for',
  { deadline_ms: 3_000, answered_by: 'leader' },
);

/** What fraud is asked about: an order that is to be created, or a wallet that is to pay it. */
export interface ScreeningRequest {
  readonly stage: 'create' | 'build' | 'submit';
  /** It is stored only if it passes, though the stage is a later one than `create`. */
  readonly is_to_be_stored?: boolean;
  /** At `create` as it will be stored. The webhooks of a flag show it. */
  readonly payment: PaymentSnapshot;
  /** The payment’s own, which takes the place of the merchant’s. */
  readonly webhook_url: string | null;
  readonly amount_usd_cents: string;
  /** The wallet that would pay; null while no wallet is known. */
  readonly customer_wallet: string | null;
  readonly customer_email: string | null;
  /** Under whose key fraud seals what it keeps of the customer; null while no customer is known. */
  readonly customer_subject: string | null;
  /** Whose request it is: at `create` the merchant’s server’s, or by a link the customer’s; later the customer’s. */
  readonly asked_by: 'merchant' | 'customer';
  /** Of the one who asks, as the edge says; null where another context wants the payment. */
  readonly client_address: string | null;
}

/** fraud: what it makes of it. A score belongs to a payment and a wallet (specification §2.11). */
export interface ScreeningVerdict {
  /** 0 to 100. */
  readonly score: number;
  readonly action: 'pass' | 'review' | 'block';
  /** Codes of the rules that weighed; never for the payer. */
  readonly reasons: readonly string[];
}

/**
 * fraud: no answer in time means no payment (503). `screening_unavailable`: the sanctions list is stale or empty in
 * live. A block or review is recorded before it is answered; the same payment, stage and wallet asked again count once.
 */
export const screenPayment = commandCall<ScreeningRequest, ScreeningVerdict, 'screening_unavailable'>(
  'fraud.screen-payment',
  { deadline_ms: 800, answered_by: 'any', gathered: true },
);

/** fraud: whether the sanctions list lets live payments through, and if not how it stands. */
export const sanctionsHealth = call<object, { healthy: boolean; reason: string | null }>(
  'fraud.sanctions-health',
  { answered_by: 'any' },
);

/**
 * fraud: whether money must not go to a wallet (`sanctions_hit`, specification §2.9). Null: that is not known, because
 * the list is stale or empty in live.
 */
export const checkSanctions = call<{ wallet: string }, { sanctioned: boolean } | null>(
  'fraud.check-sanctions',
  { answered_by: 'any' },
);

/** What a test wants fraud to know (specification §5). */
export type ScreeningArrangement =
  | {
      readonly kind: 'wallet' | 'ip' | 'email';
      readonly value: string;
      readonly action: 'block' | 'clear';
    }
  | { readonly kind: 'wallet'; readonly value: string; readonly action: 'sanction' }
  | { readonly kind: 'list'; readonly age: 'fresh' | 'stale' | 'empty' };

/** fraud, asked by the test helpers alone: in effect at the replica that answers once it is answered. */
export const arrangeScreening = commandCall<
  ScreeningArrangement,
  { readonly arranged: true },
  'invalid_value'
>('fraud.arrange-screening', { deadline_ms: 5_000, answered_by: 'any' });

/** The one transfer that treasury may pay the fee of. */
export interface SponsoredTransfer {
  readonly payment_id: string;
  readonly merchant_id: string;
  readonly customer_wallet: string;
  /** Of the customer, for the quotas. */
  readonly client_address: string;
  readonly token: 'USDC' | 'USDT' | 'SOL';
  /** Null for SOL. */
  readonly token_mint: string | null;
  /** Base units. */
  readonly amount: string;
  /** The wallet that is paid. */
  readonly recipient: string;
  readonly reference: string;
  readonly expires_at: string;
  /** The message that the payment has now, which is the answer where it still stands. */
  readonly standing?: string | null;
}

export interface SponsorshipOffer {
  readonly fee_payer: string;
  /** The exact message that the customer is to sign, base64; treasury keeps its hash. */
  readonly message: string;
  readonly recent_blockhash: string;
  readonly last_valid_block_height: number;
}

/**
 * treasury: the message of a gasless payment; asked again for the same transfer a little later, the same message, and
 * another one once that was withdrawn. `gasless_unavailable`: build goes on without a sponsor. `submission_in_flight`:
 * a sponsored transaction of the payment may still land, or has landed, so that nothing else may be built.
 */
export const offerSponsorship = commandCall<
  SponsoredTransfer,
  SponsorshipOffer,
  'gasless_unavailable' | 'submission_in_flight'
>('treasury.offer-sponsorship', { deadline_ms: 3_000 });

/** treasury: whether it pays fees in a mode at all, and still can today; of one payment the offer tells. */
export const sponsorPays = call<object, { pays: boolean }>('treasury.sponsor-pays', {
  deadline_ms: 3_000,
  answered_by: 'any',
});

/**
 * treasury: signs no more what it has offered for the payment, so that the customer may pay the fee instead.
 * `submission_in_flight`: it has signed it, and that may land.
 */
export const withdrawSponsorship = commandCall<
  { readonly payment_id: string },
  { readonly withdrawn: true },
  'submission_in_flight'
>('treasury.withdraw-sponsorship', { deadline_ms: 3_000 });

/**
 * treasury: signs what it offered, if the customer has signed just that (or that with what wallets may add), and sends
 * it. The signature is recorded before the transaction is sent; asked again, it is the same transaction.
 * `invalid_transaction` and `gasless_unavailable` say why in `details.reason`.
 */
export const sponsorTransaction = commandCall<
  {
    readonly payment_id: string;
    readonly customer_wallet: string;
    readonly client_address: string;
    /** Base64. */
    readonly signed_transaction: string;
  },
  { readonly transaction_signature: string },
  'invalid_transaction' | 'gasless_unavailable' | 'submission_in_flight' | 'payment_expired'
>('treasury.sponsor-transaction', { deadline_ms: 15_000 });
