/** States of the specification: `failed` has a retry ahead of it, `exhausted` has none. */
export type DeliveryStatus = 'pending' | 'delivered' | 'failed' | 'exhausted';

/** How an attempt ended. Any 2xx counts as delivered; everything else is a failure. */
export type AttemptOutcome =
  | { readonly delivered: true }
  | {
      readonly delivered: false;
      /** How long the receiver asked us to wait with its 429, in milliseconds. */
      readonly retry_after_ms: number | null;
    };

export interface RetryPolicy {
  /** Wait after attempt 1, 2, … in milliseconds; one more attempt than there are waits. */
  readonly waits_ms: readonly number[];
  /** A receiver that asks for more patience than this does not get it. */
  readonly retry_after_ms_max: number;
  /** Upward only, as a share of the wait. */
  readonly jitter_max: number;
}

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** 30 s, 2 min, 10 min, 1 h after the end of the attempt before. */
export const RETRY_POLICY: RetryPolicy = {
  waits_ms: [30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS, HOUR_MS],
  retry_after_ms_max: HOUR_MS,
  jitter_max: 0.1,
};

/** The sender sends a test event once. */
export const SINGLE_ATTEMPT: RetryPolicy = { ...RETRY_POLICY, waits_ms: [] };

export interface EndedAttempt {
  /** 1 for the first; manual retries count on. */
  readonly attempt: number;
  /** Business time in milliseconds. */
  readonly ended_at: number;
  readonly outcome: AttemptOutcome;
  /** At least 0, below 1. */
  readonly chance: number;
}

export interface DeliveryProgress {
  readonly status: Exclude<DeliveryStatus, 'pending'>;
  /** Business time in milliseconds; null when there is no next attempt. */
  readonly next_attempt_at: number | null;
}

/**
 * What an attempt makes of its delivery. 410 is a failure like any other: the specification retries
 * everything but 2xx.
 */
export function afterAttempt(policy: RetryPolicy, ended: EndedAttempt): DeliveryProgress {
  const { attempt, ended_at, outcome, chance } = ended;
  if (outcome.delivered) return { status: 'delivered', next_attempt_at: null };
  const wait_ms = policy.waits_ms[attempt - 1];
  if (wait_ms === undefined) return { status: 'exhausted', next_attempt_at: null };
  const jittered_ms = Math.floor(wait_ms * (1 + policy.jitter_max * chance));
  const asked_ms = Math.min(outcome.retry_after_ms ?? 0, policy.retry_after_ms_max);
  return { status: 'failed', next_attempt_at: ended_at + Math.max(jittered_ms, asked_ms) };
}

/** A merchant may ask again for what has failed, never for what is on its way or has arrived. */
export const isRetryable = (status: DeliveryStatus): boolean =>
  status === 'failed' || status === 'exhausted';
