import { actionOf, assess, fixedScoreOf, severityOf, type Observed } from './assess';
import { DEFAULT_RULES, type ListKind, type Rule } from './rule';

const nothing: Observed = {
  stage: 'build',
  amount_usd_cents: 10_000n,
  count: () => 1,
  listed: () => false,
  median_usd_cents: null,
  is_new_wallet: false,
  fixed_score: null,
};
const by = (kind: ListKind, count: number): Partial<Observed> => ({
  count: (asked) => (asked === kind ? count : null),
});
const codesOf = (observed: Partial<Observed>, rules = DEFAULT_RULES) =>
  assess({ ...nothing, ...observed }, rules).reasons.map(({ code }) => code);
const scoreOf = (observed: Partial<Observed>, rules = DEFAULT_RULES) =>
  assess({ ...nothing, ...observed }, rules).score;

test.each<[string, Partial<Observed>, number]>([
  ['nothing', {}, 0],
  ['5 payments of a wallet', by('wallet', 5), 0],
  ['6 payments of a wallet', by('wallet', 6), 40],
  ['10 payments of an address', by('ip', 10), 0],
  ['11 payments of an address', by('ip', 11), 25],
  ['5 payments of an e-mail', by('email', 5), 0],
  ['6 payments of an e-mail', by('email', 6), 25],
  ['10 times the norm', { amount_usd_cents: 100_000n, median_usd_cents: 10_000n }, 0],
  ['a cent above', { amount_usd_cents: 100_001n, median_usd_cents: 10_000n }, 35],
  ['a new wallet with 999.99 USD', { amount_usd_cents: 99_999n, is_new_wallet: true }, 0],
  ['a new wallet with 1,000 USD', { amount_usd_cents: 100_000n, is_new_wallet: true }, 30],
  ['a known wallet with 1,000 USD', { amount_usd_cents: 100_000n }, 0],
  ['a listed wallet', { listed: (kind) => kind === 'wallet' }, 100],
  ['a listed address', { listed: (kind) => kind === 'ip' }, 100],
  ['a listed e-mail', { listed: (kind) => kind === 'email' }, 100],
  ['an identity for tests', { fixed_score: 70 }, 70],
  ['the same and more', { fixed_score: 70, ...by('wallet', 6) }, 70],
  ['wallet and address', { count: () => 11 }, 90],
])('%s scores as specified', (_, observed, score) => {
  expect(scoreOf(observed)).toBe(score);
});

const changed = (code: string, change: Partial<Rule>): readonly Rule[] =>
  DEFAULT_RULES.map((rule) => (rule.code === code ? ({ ...rule, ...change } as Rule) : rule));

test('a rule that is off is none; review and block raise to their bound, allow outweighs all', () => {
  const many = by('wallet', 6);
  expect(codesOf(many, changed('velocity_wallet', { enabled: false }))).toEqual([]);
  expect(scoreOf(many, changed('velocity_wallet', { action: 'review' }))).toBe(65);
  expect(scoreOf(many, changed('velocity_wallet', { action: 'block' }))).toBe(85);
  const allowed = { ...many, listed: () => true };
  expect(scoreOf(allowed, changed('velocity_wallet', { action: 'allow' }))).toBe(0);
});

test('the reason that decides comes first', () => {
  const many = { count: () => 100, median_usd_cents: 100n, amount_usd_cents: 1_000_000n };
  expect(codesOf(many).slice(0, 2)).toEqual(['velocity_wallet', 'amount_above_norm']);
  const blocking = changed('velocity_email', { action: 'block', weight: 10 });
  expect(codesOf(many, blocking)[0]).toBe('velocity_email');
});

test('bounds of actions and severities', () => {
  expect([64, 65, 84, 85].map(actionOf)).toEqual(['pass', 'review', 'review', 'block']);
  expect([64, 65, 74, 75, 84, 85].map(severityOf)).toEqual([
    ...['low', 'medium', 'medium', 'high', 'high', 'critical'],
  ]);
});

test('fixed identities', () => {
  expect(fixedScoreOf(' Anna+Score70@Tender.Test ')).toBe(70);
  expect(fixedScoreOf('a+score90@tender.test')).toBe(90);
  expect(fixedScoreOf('a+score90@tender.test.example')).toBeNull();
  expect(fixedScoreOf('score90@tender.test')).toBeNull();
  expect(fixedScoreOf(null)).toBeNull();
});
