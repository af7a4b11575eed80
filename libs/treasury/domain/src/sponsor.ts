import { accept, type Decider } from '@tender/kernel';

/** Who has stopped it: an admin, or the sponsor itself after too many failures. */
export type PausedBy = 'admin' | 'failures';

export interface SponsorPaused {
  readonly type: 'SponsorPaused';
  readonly data: { readonly by: PausedBy; readonly reason: string; readonly at: string };
}
export interface SponsorResumed {
  readonly type: 'SponsorResumed';
  readonly data: { readonly reason: string; readonly at: string };
}
export type SponsorEvent = SponsorPaused | SponsorResumed;

/** The sponsor of a mode. It pays until it is paused. */
export interface Sponsor {
  readonly paused: SponsorPaused['data'] | null;
  /** ISO 8601, wall time; null: never. Failures of before do not count any more. */
  readonly resumed_at: string | null;
}

export interface SwitchSponsor {
  readonly type: 'SwitchSponsor';
  readonly enabled: boolean;
  readonly reason: string;
  /** ISO 8601, wall time. */
  readonly at: string;
}
export interface PauseAfterFailures {
  readonly type: 'PauseAfterFailures';
  readonly reason: string;
  readonly at: string;
}

function switchSponsor({ enabled, reason, at }: SwitchSponsor, { paused }: Sponsor) {
  if (!enabled) {
    // Of an admin’s own words the last ones count.
    return accept<SponsorEvent>({ type: 'SponsorPaused', data: { by: 'admin', reason, at } });
  }
  if (paused === null) return accept<SponsorEvent>();
  return accept<SponsorEvent>({ type: 'SponsorResumed', data: { reason, at } });
}

function pauseAfterFailures({ reason, at }: PauseAfterFailures, { paused }: Sponsor) {
  if (paused !== null) return accept<SponsorEvent>();
  return accept<SponsorEvent>({ type: 'SponsorPaused', data: { by: 'failures', reason, at } });
}

/** The rules of the switch. */
export const sponsorDecider = {
  initial: { paused: null, resumed_at: null } as Sponsor,
  evolve: (state: Sponsor, event: SponsorEvent): Sponsor => {
    if (event.type === 'SponsorPaused') return { ...state, paused: event.data };
    if (event.type === 'SponsorResumed') return { paused: null, resumed_at: event.data.at };
    return state;
  },
  decide: { SwitchSponsor: switchSponsor, PauseAfterFailures: pauseAfterFailures },
} satisfies Decider<Sponsor, SponsorEvent>;
