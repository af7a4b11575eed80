import type { Stage } from '../view';
import type { SetupApi } from './setup-api';

/** Share C, opened in this browser. What it is is known to the second script alone. */
export type OpenShare = { readonly of: 'C' } & object;

/** Three parties have agreed; nothing counts before it is confirmed. */
export interface MadeWallet {
  readonly wallet_address: string;
  readonly share_c: OpenShare;
  /** What `POST /passkey-wallet/confirm` takes beside the passkey. */
  readonly confirmation: object;
  /** The text of the recovery kit: R, and C under this passphrase. Seconds of work. */
  pack(passphrase: string): Promise<string>;
}

/** The kit is damaged, or the passphrase is another one. */
export class KitUnopened extends Error {
  constructor(readonly reason: 'wrong_passphrase' | 'damaged_kit') {
    super(reason);
  }
}

/** What the second script exports: all that handles shares. */
export interface KeyTools {
  /** Makes C and R here, and A with the signer. Throws what the API refuses, and faults of the ceremony. */
  makeWallet(
    api: SetupApi,
    merchant_id: string,
    tell: (stage: Stage) => void,
  ): Promise<MadeWallet>;
  /** C under what a passkey answers. */
  seal(share: OpenShare, prf: Uint8Array): Promise<string>;
  /** Throws where it is another passkey's, or another wallet's. */
  unseal(sealed: string, prf: Uint8Array, roster: object): Promise<OpenShare>;
  /** Throws `KitUnopened`. */
  openKit(text: string, passphrase: string): Promise<{
    readonly wallet_address: string;
    readonly share_c: OpenShare;
  }>;
}
