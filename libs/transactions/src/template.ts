/** How far a wallet may change what it was given to sign. */
export interface Bounds {
  /** Asserts that it may add. */
  readonly asserts_max: number;
  readonly compute_units_max: number;
  /** What the transaction may offer beside its signatures, in lamports; null where the signer pays it. */
  readonly priority_lamports_max: bigint | null;
}

/** The one transaction that a customer or a sponsor is asked to sign, as data. */
export interface Template {
  /** The exact bytes that were built. */
  readonly message: Uint8Array;
  /** Who signs it; a fee payer that is not its signer is a sponsor. */
  readonly customer: string;
  readonly bounds: Bounds;
}

/** What a payment offers beside its signatures at most: a full network must not make a small payment dear. Lamports. */
export const PRIORITY_LAMPORTS_MAX = 50_000n;

/** Phantom adds one assert, Solflare two. */
const ASSERTS_MAX = 2;

/** Of a transaction whose fee this service pays. */
export const SPONSORED_BOUNDS: Bounds = {
  asserts_max: ASSERTS_MAX,
  compute_units_max: 300_000,
  priority_lamports_max: PRIORITY_LAMPORTS_MAX,
};

/** Of a transaction that its customer pays: the chain's own limit, and any price. */
export const CUSTOMER_PAID_BOUNDS: Bounds = {
  asserts_max: ASSERTS_MAX,
  compute_units_max: 1_400_000,
  priority_lamports_max: null,
};
