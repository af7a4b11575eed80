import { accept, refuse, type Decider, type Decision, type Mode } from '@tender/kernel';
import type { FlagAction, Reason, Severity, Stage } from './assess';

export const RESOLUTIONS = ['safe_false_positive', 'confirmed_fraud', 'other'] as const;
export type ResolutionType = (typeof RESOLUTIONS)[number];

/** What fraud holds against a payment and a wallet, at a stage. */
export interface FlagTerms {
  readonly flag_id: string;
  readonly payment_id: string;
  readonly merchant_id: string;
  readonly mode: Mode;
  readonly stage: Stage;
  readonly action: FlagAction;
  readonly score: number;
  readonly severity: Severity;
  /** Code of what weighed most. */
  readonly rule: string;
  readonly reasons: readonly Reason[];
  readonly customer_wallet: string | null;
  /** Sealed: an address is personal. */
  readonly ip: { readonly subject_id: string; readonly sealed: string } | null;
  readonly amount_usd_cents: string;
  /** Which sanctions list was looked at. */
  readonly sanctions_list: { readonly sha256: string; readonly issued_on: string } | null;
  /** As merchants hear of it; null where it was blocked before it was stored. */
  readonly payment: object | null;
  readonly webhook_url: string | null;
  readonly created_at: string;
}

export interface Resolution {
  readonly resolution_type: ResolutionType;
  readonly notes: string;
  readonly resolved_by: string;
  readonly resolved_at: string;
}

export interface FlagRaised {
  readonly type: 'FlagRaised';
  readonly data: FlagTerms;
}
export interface PaymentBlocked {
  readonly type: 'PaymentBlocked';
  readonly data: FlagTerms;
}
export interface FlagResolved {
  readonly type: 'FlagResolved';
  readonly data: { readonly flag_id: string; readonly resolution: Resolution };
}
export type FlagEvent = FlagRaised | PaymentBlocked | FlagResolved;

export interface KnownFlag {
  readonly status: 'raised' | 'resolved';
  readonly terms: FlagTerms;
  readonly resolution: Resolution | null;
}
export type Flag = { readonly status: 'unknown' } | KnownFlag;

export interface RaiseFlag {
  readonly type: 'RaiseFlag';
  readonly terms: FlagTerms;
}
export interface ResolveFlag {
  readonly type: 'ResolveFlag';
  readonly resolution: Resolution;
}

const UNKNOWN: Flag = { status: 'unknown' };

export const flagDecider = {
  initial: UNKNOWN,
  evolve: evolveFlag,
  decide: { RaiseFlag: raiseFlag, ResolveFlag: resolveFlag },
} satisfies Decider<Flag, FlagEvent>;

function evolveFlag(state: Flag, event: FlagEvent): Flag {
  switch (event.type) {
    case 'FlagRaised':
    case 'PaymentBlocked':
      return { status: 'raised', terms: event.data, resolution: null };
    case 'FlagResolved':
      if (state.status === 'unknown') return state;
      return { ...state, status: 'resolved', resolution: event.data.resolution };
    default:
      return state;
  }
}

/** The same payment, stage and wallet again is one flag, unless it looks otherwise now. */
function raiseFlag({ terms }: RaiseFlag, state: Flag): Decision<FlagEvent, never> {
  if (state.status !== 'unknown') {
    const { action, score } = state.terms;
    if (action === terms.action && score === terms.score) return accept<FlagEvent>();
  }
  return accept<FlagEvent>({
    type: terms.action === 'block' ? 'PaymentBlocked' : 'FlagRaised',
    data: terms,
  });
}

function resolveFlag(
  { resolution }: ResolveFlag,
  state: Flag,
): Decision<FlagEvent, 'flag_unknown' | 'flag_already_resolved'> {
  if (state.status === 'unknown') return refuse('flag_unknown');
  if (state.status === 'resolved') return refuse('flag_already_resolved');
  const { flag_id } = state.terms;
  return accept<FlagEvent>({ type: 'FlagResolved', data: { flag_id, resolution } });
}
