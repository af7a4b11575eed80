import type { Mode } from '@tender/kernel';
import type { Operation, Role } from '@tender/threshold';

/** An operating wallet, as far as a transfer needs it. */
export interface PayingWallet {
  readonly address: string;
  /** The one that a settlement may pay; null while the merchant has none. */
  readonly settlement_wallet: string | null;
}

export type SigningResult =
  | { readonly ok: true; readonly signature: Uint8Array }
  | {
      readonly ok: false;
      readonly refused: { readonly role: Role; readonly code: string; readonly reason: string };
    }
  /** Whether it was heard is unknown. */
  | { readonly ok: false; readonly unavailable: true };

/** Lets the signers of a merchant’s wallet judge an operation and sign the message that is to do it. */
export type SignTransfer = (
  merchant_id: string,
  op: Operation,
  message: Uint8Array,
) => Promise<SigningResult>;

/** Who holds the operating wallets. Treasury holds no share of any. */
export interface Custody {
  /** Opened where it is missing; null: not yet, for the signers do not answer. */
  walletOf(mode: Mode, merchant_id: string): Promise<PayingWallet | null>;
  readonly sign: SignTransfer;
}

/** Nest injection token: `Custody`. */
export const CUSTODY = Symbol('custody');
