import { fromUnits } from '@tender/kernel';
import type { ListKind, Rule } from './rule';

export type Stage = 'create' | 'build' | 'submit';
export type FlagAction = 'review' | 'block';

/** From here on a person looks at it. */
export const REVIEW_FROM = 65;
/** From here on there is no payment. */
export const BLOCK_FROM = 85;
const SCORE_MAX = 100;
const HIGH_FROM = 75;

export const SEVERITIES = ['low', 'medium', 'high', 'critical'] as const;
export type Severity = (typeof SEVERITIES)[number];

export function severityOf(score: number): Severity {
  if (score >= BLOCK_FROM) return 'critical';
  if (score >= HIGH_FROM) return 'high';
  return score >= REVIEW_FROM ? 'medium' : 'low';
}

export const actionOf = (score: number): 'pass' | FlagAction => {
  if (score >= BLOCK_FROM) return 'block';
  return score >= REVIEW_FROM ? 'review' : 'pass';
};

/** Why a score is what it is. Amounts are in USD. */
export interface Reason {
  readonly code: string;
  readonly weight: number;
  readonly observed: number;
  readonly threshold: number;
}

/** What is known of an order and of the wallet that would pay it, as far as the stage lets it count. */
export interface Observed {
  readonly stage: Stage;
  readonly amount_usd_cents: bigint;
  /** Payments within the window, this one among them; null where the order names none of that kind. */
  readonly count: (by: ListKind, window_seconds: number) => number | null;
  readonly listed: (kind: ListKind) => boolean;
  /** What the merchant is usually paid; null while it has no norm. */
  readonly median_usd_cents: bigint | null;
  /** No payment of this wallet was ever confirmed; false while no wallet is known. */
  readonly is_new_wallet: boolean;
  /** Of an identity that exists for tests. */
  readonly fixed_score: number | null;
}

export interface Assessment {
  readonly score: number;
  /** What weighed most comes first. */
  readonly reasons: readonly Reason[];
}

const TEST_IDENTITY = /\+score(70|90)@tender\.test$/;

/** Fixed identities have fixed scores in every mode; no mail reaches `.test`. */
export function fixedScoreOf(email: string | null): number | null {
  const [, score] = TEST_IDENTITY.exec(email?.trim().toLowerCase() ?? '') ?? [];
  if (score === undefined) return null;
  return score === '90' ? 90 : 70;
}

/** What a rule that matches raises the score to by itself. */
const boundOf = ({ action, weight }: Rule): number => Math.max(weight, BOUNDS[action]);
const BOUNDS = { score: 0, review: REVIEW_FROM, block: BLOCK_FROM, allow: SCORE_MAX };

/** What the rules make of it: an `allow` first, then the sum of weights, raised by `review` and `block`. */
export function assess(observed: Observed, rules: readonly Rule[]): Assessment {
  const matched = rules.flatMap((rule) => {
    const reason = rule.enabled ? matchOf(rule, observed) : null;
    return reason === null
      ? []
      : [{ rule, reason: { code: rule.code, weight: rule.weight, ...reason } }];
  });
  const reasons = matched
    .toSorted((one, other) => boundOf(other.rule) - boundOf(one.rule))
    .map(({ reason }) => reason);
  const has = (action: Rule['action']): boolean =>
    matched.some(({ rule }) => rule.action === action);
  if (has('allow')) return { score: 0, reasons };

  const { fixed_score } = observed;
  if (fixed_score !== null) reasons.push(ofTestIdentity(fixed_score));
  const summed = matched.reduce((sum, { rule }) => sum + rule.weight, 0);
  const bounds = [has('review') ? REVIEW_FROM : 0, has('block') ? BLOCK_FROM : 0];
  const score = Math.min(SCORE_MAX, Math.max(summed, fixed_score ?? 0, ...bounds));
  return { score, reasons };
}

const ofTestIdentity = (score: number): Reason => ({
  code: 'test_identity',
  weight: score,
  observed: 1,
  threshold: 1,
});

type Match = Pick<Reason, 'observed' | 'threshold'>;

function matchOf(rule: Rule, observed: Observed): Match | null {
  switch (rule.kind) {
    case 'velocity': {
      const { by, window_seconds, max } = rule.params;
      const count = observed.count(by, window_seconds);
      return count !== null && count > max ? { observed: count, threshold: max } : null;
    }
    case 'amount': {
      const { median_usd_cents } = observed;
      if (median_usd_cents === null) return null;
      const amount = usdOf(observed.amount_usd_cents);
      const threshold = usdOf(median_usd_cents) * rule.params.multiple;
      return amount > threshold ? { observed: amount, threshold } : null;
    }
    case 'first_payment': {
      const amount = usdOf(observed.amount_usd_cents);
      const threshold = rule.params.min_usd;
      return observed.is_new_wallet && amount >= threshold ? { observed: amount, threshold } : null;
    }
    case 'list':
      return observed.listed(rule.params.kind) ? { observed: 1, threshold: 1 } : null;
  }
}

/** A score compares amounts and moves none: a float does. */
const usdOf = (cents: bigint): number => fromUnits(cents, 2);
