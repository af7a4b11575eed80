/** A ceremony of signer A with the two parties in the merchant’s browser has begun. */
export interface PasskeyWalletBegun {
  readonly type: 'PasskeyWalletBegun';
  readonly data: {
    readonly merchant_id: string;
    readonly session: string;
    /** The same for all parties; JSON. */
    readonly plan: object;
    /** What signer A has said in round 1, signed: it is given that again in round 2. */
    readonly round1: object;
    readonly begun_at: string;
  };
}

/** Signer A has come to a key. */
export interface PasskeyWalletJoined {
  readonly type: 'PasskeyWalletJoined';
  readonly data: {
    readonly merchant_id: string;
    readonly session: string;
    /** What signer A has said in round 3, signed: it is given that again at the end. */
    readonly round3: object;
    readonly joined_at: string;
  };
}

/** Signer A has kept its share and signed the roster; the merchant has not yet said that it has kept its own. */
export interface PasskeyWalletAgreed {
  readonly type: 'PasskeyWalletAgreed';
  readonly data: {
    readonly merchant_id: string;
    readonly session: string;
    readonly roster: object;
    /** Of signer A over the roster, base64. */
    readonly signature: string;
    readonly agreed_at: string;
  };
}

/** All three have signed the roster, and the merchant has what it needs to leave: from here on it is paid there. */
export interface WalletCreated {
  readonly type: 'WalletCreated';
  readonly data: {
    readonly merchant_id: string;
    readonly session: string;
    readonly wallet_address: string;
    /** With the signatures of all three; JSON as they have signed it. */
    readonly roster: object;
    readonly passkey_id: string;
    /** Share C, sealed by the passkey; null where the browser could not: C is in the recovery file alone. */
    readonly sealed_share_c: string | null;
    /** As given at sign-up. */
    readonly webhook_url: string | null;
    readonly created_at: string;
  };
}

/** Share C for one more passkey. */
export interface ShareSealed {
  readonly type: 'ShareSealed';
  readonly data: {
    readonly merchant_id: string;
    readonly passkey_id: string;
    readonly sealed_share_c: string;
    readonly sealed_at: string;
  };
}

export type PasskeyWalletEvent =
  | PasskeyWalletBegun
  | PasskeyWalletJoined
  | PasskeyWalletAgreed
  | WalletCreated
  | ShareSealed;

/** The newest ceremony of a merchant: what an older one ends with is not used. */
export interface WalletCeremony {
  readonly session: string;
  readonly plan: object;
  /** What signer A has said, signed. */
  readonly round1: object;
  readonly round3: object | null;
  /** Of each begin within `CEREMONY_WINDOW_MS` of the newest. */
  readonly begun: readonly string[];
  readonly agreed: { readonly roster: object; readonly signature: string } | null;
}

/** A passkey wallet of a merchant. */
export interface PasskeyWallet {
  /** Of the ceremony that has made it. */
  readonly session: string;
  readonly roster: object;
  /** Share C by passkey, each sealed by it. */
  readonly sealed_shares: Readonly<Record<string, string>>;
}

/** What the state of a merchant says of these; rows of before this release have neither. */
export interface PasskeyWalletState {
  readonly wallet_ceremony?: WalletCeremony;
  readonly passkey_wallet?: PasskeyWallet;
}

/** Share C as that passkey has sealed it; null where it has none. */
export const sealedShareOf = (
  { sealed_shares }: PasskeyWallet,
  passkey_id: string,
): string | null =>
  (Object.hasOwn(sealed_shares, passkey_id) ? sealed_shares[passkey_id] : null) ?? null;
