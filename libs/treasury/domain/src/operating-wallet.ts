/** Who holds a share of a wallet: signers A and B, and R for disasters. */
export type ShareHolder = 'A' | 'B' | 'R';
/** A signer that runs: without either of them nothing leaves the wallet. */
export type RunningSigner = Exclude<ShareHolder, 'R'>;

/** A signer refused what an honest treasury never asks. */
export interface SignerAlarm {
  readonly role: RunningSigner;
  /** A signer’s code (`docs/custody.md`). */
  readonly code: string;
}

/** Who has stopped a wallet: its merchant, or treasury itself after too many alarms. */
export type FrozenBy = 'merchant' | 'alarms';

/** The holders of shares have answered the first round of a ceremony. */
export interface OperatingWalletBegun {
  readonly type: 'OperatingWalletBegun';
  readonly data: {
    readonly merchant_id: string;
    /** The one wallet that its settlements may pay; null while the merchant has none. */
    readonly settlement_wallet: string | null;
    /** Of the ceremony. */
    readonly session: string;
    readonly begun_at: string;
  };
}
/** A party was refused, and nothing of the ceremony is used. */
export interface CeremonyFailed {
  readonly type: 'CeremonyFailed';
  readonly data: {
    readonly merchant_id: string;
    readonly session: string;
    readonly code: string;
    /** Null: not known. */
    readonly culprit: ShareHolder | null;
    readonly failed_at: string;
  };
}
export interface OperatingWalletOpened {
  readonly type: 'OperatingWalletOpened';
  readonly data: {
    readonly merchant_id: string;
    readonly session: string;
    readonly address: string;
    /** Signed by the holders of its shares; JSON as they have signed it. */
    readonly roster: object;
    readonly opened_at: string;
  };
}
export interface SignersAlarmed {
  readonly type: 'SignersAlarmed';
  readonly data: {
    readonly merchant_id: string;
    readonly address: string;
    readonly operation_id: string;
    /** Of one try to have one operation signed. */
    readonly alarms: readonly SignerAlarm[];
    readonly alarmed_at: string;
  };
}
export interface OperatingWalletFrozen {
  readonly type: 'OperatingWalletFrozen';
  readonly data: {
    readonly merchant_id: string;
    readonly address: string;
    readonly by: FrozenBy;
    readonly reason: string | null;
    /** Those that have confirmed it now or before; one is enough to stop the wallet. */
    readonly signers: readonly RunningSigner[];
    readonly frozen_at: string;
  };
}

/** Both signers have taken up a proof by a passkey of the merchant: money may leave again. */
export interface OperatingWalletUnfrozen {
  readonly type: 'OperatingWalletUnfrozen';
  readonly data: {
    readonly merchant_id: string;
    readonly address: string;
    /** The passkey that has allowed it, base64url. */
    readonly passkey_id: string;
    readonly unfrozen_at: string;
  };
}
export interface OperatingWalletLimited {
  readonly type: 'OperatingWalletLimited';
  readonly data: {
    readonly merchant_id: string;
    readonly address: string;
    /** USD cents that may leave in 24 hours. */
    readonly day_limit_cents: number;
    readonly passkey_id: string;
    readonly limited_at: string;
  };
}

export type OperatingWalletEvent =
  | OperatingWalletBegun
  | CeremonyFailed
  | OperatingWalletOpened
  | SignersAlarmed
  | OperatingWalletFrozen
  | OperatingWalletUnfrozen
  | OperatingWalletLimited;

export interface BegunWallet {
  readonly status: 'begun';
  readonly merchant_id: string;
  /** Of the newest ceremony: what an older one ends with is not used. */
  readonly session: string;
  readonly settlement_wallet: string | null;
  /** Of the newest ceremony; null: it has not failed. */
  readonly failed_at: string | null;
}
export interface OpenWallet {
  readonly status: 'open';
  readonly merchant_id: string;
  readonly session: string;
  readonly address: string;
  readonly roster: object;
  readonly opened_at: string;
  /** Tries at which signers have alarmed, since it was opened or let go on. */
  readonly alarms: number;
  /** USD cents that may leave in 24 hours; missing: as its signers are set. */
  readonly day_limit_cents?: number;
  readonly frozen: Pick<OperatingWalletFrozen['data'], 'by' | 'reason' | 'signers' | 'frozen_at'> | null;
}
export type OperatingWallet = { readonly status: 'unknown' } | BegunWallet | OpenWallet;

export const UNKNOWN_WALLET: OperatingWallet = { status: 'unknown' };

/** The fold. */
export function evolveOperatingWallet(
  state: OperatingWallet,
  event: OperatingWalletEvent,
): OperatingWallet {
  switch (event.type) {
    case 'OperatingWalletBegun': {
      const { merchant_id, session, settlement_wallet } = event.data;
      return { status: 'begun', merchant_id, session, settlement_wallet, failed_at: null };
    }
    case 'CeremonyFailed':
      return state.status === 'begun' ? { ...state, failed_at: event.data.failed_at } : state;
    case 'OperatingWalletOpened':
      return { status: 'open', ...event.data, alarms: 0, frozen: null };
    case 'SignersAlarmed':
      return state.status === 'open' ? { ...state, alarms: state.alarms + 1 } : state;
    case 'OperatingWalletFrozen': {
      const { by, reason, signers, frozen_at } = event.data;
      return state.status === 'open' ? { ...state, frozen: { by, reason, signers, frozen_at } } : state;
    }
    case 'OperatingWalletUnfrozen':
      return state.status === 'open' ? { ...state, alarms: 0, frozen: null } : state;
    case 'OperatingWalletLimited': {
      const { day_limit_cents } = event.data;
      return state.status === 'open' ? { ...state, day_limit_cents } : state;
    }
    default:
      return state;
  }
}
