import type { Stage } from '../view';
import type { SetupApi } from './setup-api';

/** Share C, opened in this browser. What it is is known to the second script alone. */
export interface OpenShare {
  /** Zeroes it. */
  erase(): void;
}

/** Three parties have agreed; nothing counts before it is confirmed. */
export interface MadeWallet {
  readonly wallet_address: string;
  readonly share_c: OpenShare;
  /** What `POST /passkey-wallet/confirm` takes beside the passkey. */
  readonly confirmation: object;
  /** The text of the recovery kit: R, and C under this passphrase. Seconds of work. */
  pack(passphrase: string): Promise<string>;
  /** Zeroes both shares; what is to confirm stays. */
  erase(): void;
}

/** The kit or the sealed share is damaged, or what is to open it is another one. */
export class Unopened extends Error {
  constructor(readonly reason: 'wrong_passphrase' | 'damaged_kit' | 'not_sealed') {
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
  /** Throws `Unopened` where it is another passkey's, or another wallet's. */
  unseal(sealed: string, prf: Uint8Array, roster: object): Promise<OpenShare>;
  /** Throws `Unopened`. */
  openKit(text: string, passphrase: string): Promise<{
    readonly wallet_address: string;
    readonly share_c: OpenShare;
  }>;
  /** The address of the wallet that a kit is of; it needs no passphrase. Throws `Unopened`. */
  walletOfKit(text: string): string;
  /** The text of the same kit under another passphrase. Throws `Unopened`. */
  renewKit(text: string, share: OpenShare, passphrase: string): Promise<string>;
}
