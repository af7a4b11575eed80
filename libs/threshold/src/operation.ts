import type { Mode, Token } from '@tender/kernel';

/** What money may leave an operating wallet for. */
export type OperationType = 'refund' | 'settlement';

/** One transfer out of a wallet, as treasury asks for it and as each signer judges it. Plain JSON. */
export interface Operation {
  readonly v: 1;
  /** Of the transfer, whatever is signed for it. */
  readonly id: string;
  readonly type: OperationType;
  readonly mode: Mode;
  /** The address that pays: the group key. */
  readonly wallet: string;
  /** The wallet that is paid, never a token account. */
  readonly to: string;
  readonly asset: Token;
  /** Base units. */
  readonly amount: string;
  /** Of a refund: the signature of the transaction that brought the money. Null elsewhere. */
  readonly credit: string | null;
  /** Wall time in ms after which no share may be given for this attempt; at most 180 s ahead. */
  readonly exp: number;
}
