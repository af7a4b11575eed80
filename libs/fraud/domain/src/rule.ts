import { accept, refuse, type Decider, type Decision } from '@tender/kernel';

export const LIST_KINDS = ['wallet', 'ip', 'email'] as const;
export type ListKind = (typeof LIST_KINDS)[number];

export const RULE_ACTIONS = ['score', 'review', 'block', 'allow'] as const;
/** `score` adds its weight; `review` and `block` also raise the score to their bound; `allow` outweighs all rules. */
export type RuleAction = (typeof RULE_ACTIONS)[number];

/** What a rule looks at. Velocities count payments within a window that slides in business time. */
export type RuleTest =
  | {
      readonly kind: 'velocity';
      readonly params: {
        readonly by: ListKind;
        readonly window_seconds: number;
        readonly max: number;
      };
    }
  /** Above so many times what the merchant is usually paid. */
  | { readonly kind: 'amount'; readonly params: { readonly multiple: number } }
  /** The wallet has paid nothing before. */
  | { readonly kind: 'first_payment'; readonly params: { readonly min_usd: number } }
  /** The block list of that kind. */
  | { readonly kind: 'list'; readonly params: { readonly kind: ListKind } };

export type Rule = RuleTest & {
  readonly id: string;
  /** In reasons and flags. */
  readonly code: string;
  /** 0 to 100. */
  readonly weight: number;
  readonly action: RuleAction;
  readonly enabled: boolean;
};

const HOUR_SECONDS = 3600;
/** The longest window of a velocity: what fraud keeps in memory. */
export const WINDOW_SECONDS_MAX = 24 * HOUR_SECONDS;

const velocity = (by: ListKind, window_seconds: number, max: number) =>
  ({ kind: 'velocity', params: { by, window_seconds, max } }) as const;
const listed = (kind: ListKind) => ({ kind: 'list', params: { kind } }) as const;
const scores = { action: 'score', enabled: true } as const;
const blocks = { weight: 100, action: 'block', enabled: true } as const;

/** The rules that hold until an operator changes them (specification §2.11). */
export const DEFAULT_RULES: readonly Rule[] = [
  {
    ...{ id: 'cf25b115-9111-8870-8b7b-2f5a985e683a', code: 'velocity_wallet', weight: 40 },
    ...velocity('wallet', HOUR_SECONDS, 5),
    ...scores,
  },
  {
    ...{ id: 'a0f0333b-221e-85f5-9104-adb847d088a0', code: 'velocity_ip', weight: 25 },
    ...velocity('ip', HOUR_SECONDS, 10),
    ...scores,
  },
  {
    ...{ id: '8ad46244-003b-88b4-86d8-a160bcd7c696', code: 'velocity_email', weight: 25 },
    ...velocity('email', WINDOW_SECONDS_MAX, 5),
    ...scores,
  },
  {
    ...{ id: 'b1adb563-bebe-8dcb-a5b3-fadf56bdb46d', code: 'amount_above_norm', weight: 35 },
    ...{ kind: 'amount', params: { multiple: 10 } },
    ...scores,
  },
  {
    ...{ id: 'e4b4ac32-d8db-8c8a-bfb0-e3d4f570de98', code: 'first_payment_high_value', weight: 30 },
    ...{ kind: 'first_payment', params: { min_usd: 1000 } },
    ...scores,
  },
  {
    id: '2dce57b0-dde5-88f7-9613-a735b5346952',
    code: 'list_wallet',
    ...listed('wallet'),
    ...blocks,
  },
  { id: '53c54723-e4c2-8049-a272-24fadb51c221', code: 'list_ip', ...listed('ip'), ...blocks },
  { id: '616c6689-ba9e-8a62-8fae-9d662833e6cc', code: 'list_email', ...listed('email'), ...blocks },
];

interface Told {
  readonly rule: Rule;
  /** Why an admin wants it so. */
  readonly reason: string;
  readonly at: string;
}
export interface RuleCreated {
  readonly type: 'RuleCreated';
  readonly data: Told;
}
export interface RuleChanged {
  readonly type: 'RuleChanged';
  readonly data: Told;
}
export type RuleEvent = RuleCreated | RuleChanged;

export interface KnownRule {
  readonly status: 'known';
  readonly rule: Rule;
}
export type RuleState = { readonly status: 'unknown' } | KnownRule;

export interface CreateRule extends Told {
  readonly type: 'CreateRule';
}

/** `base`: a default rule that has never been changed has no events. */
export interface ChangeRule {
  readonly type: 'ChangeRule';
  readonly change: (rule: Rule) => Rule;
  readonly base: Rule | null;
  readonly reason: string;
  readonly at: string;
}

const UNKNOWN: RuleState = { status: 'unknown' };

export const ruleDecider = {
  initial: UNKNOWN,
  evolve: evolveRule,
  decide: { CreateRule: createRule, ChangeRule: changeRule },
} satisfies Decider<RuleState, RuleEvent>;

function evolveRule(state: RuleState, event: RuleEvent): RuleState {
  switch (event.type) {
    case 'RuleCreated':
    case 'RuleChanged':
      return { status: 'known', rule: event.data.rule };
    default:
      return state;
  }
}

function createRule(
  { rule, reason, at }: CreateRule,
  state: RuleState,
): Decision<RuleEvent, 'rule_exists'> {
  if (state.status === 'known') return refuse('rule_exists', { rule_id: state.rule.id });
  return accept<RuleEvent>({ type: 'RuleCreated', data: { rule, reason, at } });
}

function changeRule(
  { change, base, reason, at }: ChangeRule,
  state: RuleState,
): Decision<RuleEvent, 'rule_unknown'> {
  const before = state.status === 'known' ? state.rule : base;
  if (before === null) return refuse('rule_unknown');
  return accept<RuleEvent>({ type: 'RuleChanged', data: { rule: change(before), reason, at } });
}
