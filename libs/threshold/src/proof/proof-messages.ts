import type { Proof } from './proof';

/** What treasury asks a signer about passkeys, and by a proof of one. */
export interface ProofMessages {
  /** A merchant’s first signing passkey is believed; each later one takes a proof by one that is pinned. */
  'passkey.pin': {
    asks: {
      readonly merchant_id: string;
      readonly credential_id: string;
      /** COSE, base64url. */
      readonly public_key: string;
      readonly proof: Proof | null;
    };
    answers: { readonly pinned: true };
  };
  /** The last one of a merchant stays. */
  'passkey.unpin': {
    asks: {
      readonly merchant_id: string;
      readonly credential_id: string;
      readonly proof: Proof;
    };
    answers: { readonly unpinned: true };
  };
  unfreeze: {
    asks: { readonly wallet: string; readonly proof: Proof };
    answers: { readonly frozen: false };
  };
  /** USD cents that may leave a wallet in 24 hours from now on. */
  limit: {
    asks: { readonly wallet: string; readonly day_limit_cents: number; readonly proof: Proof };
    answers: { readonly day_limit_cents: number };
  };
}
