import { accept, refuse, timeOf, type Decider } from '@tender/kernel';
import {
  evolveOperatingWallet,
  UNKNOWN_WALLET,
  type FrozenBy,
  type OperatingWallet,
  type OperatingWalletEvent,
  type RunningSigner,
  type ShareHolder,
  type SignerAlarm,
} from './operating-wallet';

export interface BeginWallet {
  readonly type: 'BeginWallet';
  readonly merchant_id: string;
  readonly settlement_wallet: string | null;
  readonly session: string;
  readonly at: string;
}
export interface FailCeremony {
  readonly type: 'FailCeremony';
  readonly session: string;
  readonly code: string;
  readonly culprit: ShareHolder | null;
  readonly at: string;
}
export interface OpenWalletOf {
  readonly type: 'OpenWalletOf';
  readonly session: string;
  readonly address: string;
  readonly roster: object;
  readonly at: string;
}
export interface RaiseAlarms {
  readonly type: 'RaiseAlarms';
  readonly operation_id: string;
  readonly alarms: readonly SignerAlarm[];
  readonly at: string;
}
export interface FreezeWallet {
  readonly type: 'FreezeWallet';
  readonly by: FrozenBy;
  readonly reason: string | null;
  /** Those that have just confirmed that they sign no more. */
  readonly signers: readonly RunningSigner[];
  readonly at: string;
}

/** Both signers have done it. */
export interface UnfreezeWallet {
  readonly type: 'UnfreezeWallet';
  readonly passkey_id: string;
  readonly at: string;
}
/** Both signers have done it. */
export interface LimitWallet {
  readonly type: 'LimitWallet';
  readonly day_limit_cents: number;
  readonly passkey_id: string;
  readonly at: string;
}

/** A ceremony costs all parties CPU: one that has failed would most likely fail again at once. */
export const CEREMONY_PAUSE_MS = 60_000;

/** An honest treasury causes none. */
const ALARMS_MAX = 3;

/** Whether a ceremony may be begun at that time: none has failed just before. */
export const mayBegin = (state: OperatingWallet, at: string): boolean =>
  state.status === 'unknown' ||
  (state.status === 'begun' &&
    (state.failed_at === null || timeOf(at) - timeOf(state.failed_at) >= CEREMONY_PAUSE_MS));

/** Whether treasury stops the wallet by itself. */
export const alarmsTooMuch = (state: OperatingWallet): boolean =>
  state.status === 'open' && state.frozen === null && state.alarms >= ALARMS_MAX;

function beginWallet(
  { merchant_id, settlement_wallet, session, at }: BeginWallet,
  state: OperatingWallet,
) {
  if (state.status === 'open') return refuse('wallet_open');
  if (!mayBegin(state, at)) return refuse('ceremony_failed_before');
  return accept<OperatingWalletEvent>({
    type: 'OperatingWalletBegun',
    data: { merchant_id, settlement_wallet, session, begun_at: at },
  });
}

function failCeremony({ session, code, culprit, at }: FailCeremony, state: OperatingWallet) {
  if (state.status === 'unknown') return refuse('ceremony_replaced');
  // Of an older one nothing would be used anyway.
  if (state.status !== 'begun' || state.session !== session) return accept<OperatingWalletEvent>();
  const { merchant_id } = state;
  return accept<OperatingWalletEvent>({
    type: 'CeremonyFailed',
    data: { merchant_id, session, code, culprit, failed_at: at },
  });
}

/** The first that is appended is the wallet for ever: what another ceremony ends with is dropped. */
function openWalletOf({ session, address, roster, at }: OpenWalletOf, state: OperatingWallet) {
  if (state.status === 'open') return refuse('wallet_open');
  if (state.status !== 'begun' || state.session !== session) return refuse('ceremony_replaced');
  const { merchant_id } = state;
  return accept<OperatingWalletEvent>({
    type: 'OperatingWalletOpened',
    data: { merchant_id, session, address, roster, opened_at: at },
  });
}

function raiseAlarms({ operation_id, alarms, at }: RaiseAlarms, state: OperatingWallet) {
  if (state.status !== 'open') return refuse('wallet_not_ready');
  const { merchant_id, address } = state;
  return accept<OperatingWalletEvent>({
    type: 'SignersAlarmed',
    data: { merchant_id, address, operation_id, alarms, alarmed_at: at },
  });
}

function freezeWallet({ by, reason, signers, at }: FreezeWallet, state: OperatingWallet) {
  if (state.status !== 'open') return refuse('wallet_not_ready');
  const before = state.frozen?.signers ?? [];
  const now = (['A', 'B'] as const).filter((role) => before.includes(role) || signers.includes(role));
  // Of several reasons the first stays; one more signer that has stopped is an event of its own.
  if (state.frozen !== null && now.length === before.length) return accept<OperatingWalletEvent>();
  const { merchant_id, address } = state;
  const { by: who, reason: why, frozen_at } = state.frozen ?? { by, reason, frozen_at: at };
  return accept<OperatingWalletEvent>({
    type: 'OperatingWalletFrozen',
    data: { merchant_id, address, by: who, reason: why, signers: now, frozen_at },
  });
}

function unfreezeWallet({ passkey_id, at }: UnfreezeWallet, state: OperatingWallet) {
  if (state.status !== 'open') return refuse('wallet_not_ready');
  if (state.frozen === null) return refuse('wallet_not_frozen');
  const { merchant_id, address } = state;
  return accept<OperatingWalletEvent>({
    type: 'OperatingWalletUnfrozen',
    data: { merchant_id, address, passkey_id, unfrozen_at: at },
  });
}

function limitWallet({ day_limit_cents, passkey_id, at }: LimitWallet, state: OperatingWallet) {
  if (state.status !== 'open') return refuse('wallet_not_ready');
  if (state.day_limit_cents === day_limit_cents) return accept<OperatingWalletEvent>();
  const { merchant_id, address } = state;
  return accept<OperatingWalletEvent>({
    type: 'OperatingWalletLimited',
    data: { merchant_id, address, day_limit_cents, passkey_id, limited_at: at },
  });
}

/** The rules of a merchant’s operating wallet. */
export const operatingWalletDecider = {
  initial: UNKNOWN_WALLET,
  evolve: evolveOperatingWallet,
  decide: {
    BeginWallet: beginWallet,
    FailCeremony: failCeremony,
    OpenWalletOf: openWalletOf,
    RaiseAlarms: raiseAlarms,
    FreezeWallet: freezeWallet,
    UnfreezeWallet: unfreezeWallet,
    LimitWallet: limitWallet,
  },
} satisfies Decider<OperatingWallet, OperatingWalletEvent>;
