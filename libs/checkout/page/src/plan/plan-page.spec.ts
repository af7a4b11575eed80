import { atPlan, atSubscription, PLAN_VIEWS, planInLanguage } from '../testing/plan-views';
import { planStateOf, type PlanView } from './plan-view';
import { renderPlanView } from './render-plan-page';

const ASSETS = { plan_script: '/checkout/assets/subscribe-1.js', style: 'p{color:red}' };
const html = (view: PlanView): string => renderPlanView(view, ASSETS);
const inFrench = (view: PlanView): string => html(planInLanguage(view, 'fr'));

test('what a shop calls itself and its plan stays text', () => {
  const name = '</title><script>alert(1)</script>';
  const shown = html(atPlan({ merchant_name: name, name, description: '<img src=x onerror=alert(1)>' }));
  expect(shown.match(/<script/g)).toHaveLength(1);
  expect(shown).not.toContain('<img src=x');
});

test('what a shop calls itself and its plan turns no text around', () => {
  const shown = html(atPlan({ merchant_name: 'Corner \u202EeeffoC', name: 'Go\u2067ld', description: 'Two\u202D' }));
  expect(shown).toContain('<bdi>Corner eeffoC</bdi>');
  expect(shown).toContain('<bdi>Gold</bdi>');
  expect(shown).not.toMatch(/[\u202A-\u202E\u2066-\u2069]/);
});

test.each([
  ['daily', 1, 'every day, paid in USDC', 'par jour, payé en USDC'],
  ['weekly', 2, 'every 2 weeks, paid in USDC', 'toutes les 2 semaines, payé en USDC'],
  ['monthly', 3, 'every 3 months, paid in USDC', 'tous les 3 mois, payé en USDC'],
  ['yearly', 1, 'every year, paid in USDC', 'par an, payé en USDC'],
] as const)('%s, %i', (billing_interval, interval_count, english, french) => {
  const view = atPlan({ billing_interval, interval_count });
  expect(html(view)).toContain(english);
  expect(inFrench(view)).toContain(french);
});

test('the form is whole without a script: it asks for a wallet, and names its attempt', () => {
  const shown = html(atPlan());
  expect(shown).toMatch(/<form method="post".*name="customer_wallet".*required.*name="customer_email"/s);
  expect(shown).toContain(`name="attempt" value="${'a'.repeat(32)}"`);
  expect(shown).toMatch(/First payment<\/dt><dd>today/);
  expect(shown).toContain('<button class="primary">Subscribe</button>');
});

test('a trial says what is free and when the first payment comes', () => {
  const view = PLAN_VIEWS['plan with a trial'] as PlanView;
  expect(html(view)).toMatch(/The first 14 days are free\..*First payment<\/dt><dd>16 March 2026.*Payments in all<\/dt><dd>12/s);
  expect(inFrench(view)).toMatch(/Les 14 premiers jours sont gratuits\..*16 mars 2026.*Commencer l’essai gratuit/s);
  expect(html(PLAN_VIEWS['subscription in trial'] as PlanView)).toContain(
    'Nothing is to be paid now. The first payment of $9.50 comes on 16 March 2026.',
  );
});

test('what was typed is kept, and what is wrong said beside it', () => {
  const shown = html(PLAN_VIEWS['plan, mistyped'] as PlanView);
  expect(shown).toMatch(/value="not a wallet" aria-invalid="true" aria-describedby="customer_wallet-fault"/);
  expect(shown).toContain('This is not the address of a Solana wallet.');
  expect(shown).toContain('This does not look like an e-mail address.');
  expect(html(PLAN_VIEWS['plan, busy'] as PlanView)).toMatch(/Try again in 8 s\..*9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin/s);
});

test.each<[string, string]>([
  ['plan', 'subscribe'],
  ['plan closed', 'plan closed'],
  ['plan, busy', 'busy'],
  ['plan, error', 'error'],
  ['subscription, first payment due', 'due'],
  ['subscription, past due', 'due'],
  ['subscription, blocked', 'blocked'],
  ['subscription in trial', 'trial'],
  ['subscription, paid', 'subscribed'],
  ['subscription, paused', 'paused'],
  ['subscription, ended', 'ended'],
])('%s is at %s', (name, state) => {
  const view = PLAN_VIEWS[name] as PlanView;
  expect(planStateOf(view)).toBe(state);
  expect(html(view)).toContain(`<main data-state="${state}"`);
});

test('an archived plan and a blocked customer are offered nothing to send', () => {
  for (const name of ['plan closed', 'subscription, blocked']) {
    expect(html(PLAN_VIEWS[name] as PlanView)).not.toMatch(/<form|<button/);
  }
  const blocked = html(PLAN_VIEWS['subscription, blocked'] as PlanView);
  expect(blocked).toContain('<span class="code">pay_test_11R0lrQrMbc1ysgvDodOvI</span>');
});

test('a subscription of a plan that is archived goes on, and no other is offered', () => {
  const offered = (is_active: boolean): boolean =>
    /Subscribe another wallet/.test(html(atPlan({ ...atSubscription({}).page.shown, is_active })));
  expect([offered(true), offered(false)]).toEqual([true, false]);
});

test('what ends says so, and what is paused until when', () => {
  expect(html(PLAN_VIEWS['subscription, last period'] as PlanView)).toContain('It ends then, and nothing more is charged.');
  expect(html(PLAN_VIEWS['subscription in trial, cancelled'] as PlanView)).toContain('It ends on 16 March 2026, and nothing is charged.');
  expect(html(PLAN_VIEWS['subscription, paused'] as PlanView)).toContain('It continues on 1 June 2026.');
});
