import type { PaymentTerms } from './payment-terms';

/** A transaction to sign. It binds the payment to its wallet until its blockhash is dead. */
export interface BuiltTransaction {
  readonly payer_wallet: string;
  readonly is_gasless: boolean;
  /** The payer, or the sponsor. */
  readonly fee_payer: string;
  /** The exact bytes to sign, base64: a build that is asked for again is this one. */
  readonly message: string;
  readonly recent_blockhash: string;
  /** Above this height, once it is final, the transaction can never land. */
  readonly last_valid_block_height: number;
}

/** What a customer said that it has sent, or gave us to send. */
export interface SubmittedTransaction {
  readonly transaction_signature: string;
  readonly customer_wallet: string | null;
  /** This service built the message and the bound wallet signed it: only such a one can fail the payment. */
  readonly is_ours: boolean;
  /** Base64; null where the customer's wallet, or the sponsor, sends it. */
  readonly signed_transaction: string | null;
  /** Null where only the signature is known. */
  readonly last_valid_block_height: number | null;
}

export interface TransactionBuilt {
  readonly type: 'TransactionBuilt';
  readonly data: { readonly terms: PaymentTerms; readonly build: BuiltTransaction };
}

export interface TransactionSubmitted {
  readonly type: 'TransactionSubmitted';
  readonly data: { readonly terms: PaymentTerms; readonly submission: SubmittedTransaction };
}

/** How far the customer has come; a payment for which nothing was built or submitted has none. */
export interface Checkout {
  readonly build: BuiltTransaction | null;
  /** Signature of the newest build's own transaction, once it was handed in. */
  readonly in_flight: string | null;
  /** Every signature that was handed in, oldest first. */
  readonly signatures: readonly string[];
}

const NOTHING: Checkout = { build: null, in_flight: null, signatures: [] };

/** Rows and states of before have none. */
export const checkoutOf = ({ checkout }: { readonly checkout?: Checkout }): Checkout =>
  checkout ?? NOTHING;

export function evolveCheckout(
  before: Checkout,
  event: TransactionBuilt | TransactionSubmitted,
): Checkout {
  if (event.type === 'TransactionBuilt') {
    return { ...before, build: event.data.build, in_flight: null };
  }
  const { transaction_signature, is_ours } = event.data.submission;
  return {
    ...before,
    in_flight: is_ours ? transaction_signature : before.in_flight,
    signatures: [...before.signatures, transaction_signature],
  };
}

/** The wallet that alone may build and submit now; null when any may. */
export function boundWallet(checkout: Checkout, finalized_height: number): string | null {
  const { build, in_flight } = checkout;
  if (build === null) return null;
  const is_over = in_flight === null && isDead(build, finalized_height);
  return is_over ? null : build.payer_wallet;
}

/** A transaction with this blockhash can never land any more. `finalized_height`: of the chain's final part. */
export const isDead = (
  { last_valid_block_height }: Pick<BuiltTransaction, 'last_valid_block_height'>,
  finalized_height: number,
): boolean => finalized_height > last_valid_block_height;
