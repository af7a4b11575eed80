import { renderView } from '../render-page';
import { MORE_VIEWS, PAYMENT, VIEWS } from '../testing/views';
import type { LinkOpenness } from '@tender/contracts';
import type { View } from '../view';

const ASSETS = { script: 'about:blank', style: '' };
const html = (view: View | undefined): string => renderView(view as View, ASSETS);
const withLink = (view: View, link_status: LinkOpenness | null): View => ({
  ...view,
  page: { ...view.page, shown: { ...PAYMENT, ...view.page.shown, link_status } as typeof PAYMENT },
});

test.each(['expired', 'late', 'failed'] as const)('%s offers a new payment only where its link takes one', (state) => {
  const offered = (status: LinkOpenness | null) => html(withLink(VIEWS[state], status)).includes('Start a new payment');
  expect((['active', 'held', 'exhausted', 'closed', 'expired', null] as const).map(offered)).toEqual([true, true, false, false, false, false]);
});

test('one that is paid offers another where its link is open', () => {
  const offered = (status: LinkOpenness | null) => html(withLink(VIEWS.confirmed, status)).includes('Make another payment');
  expect((['active', 'held', 'exhausted', null] as const).map(offered)).toEqual([true, false, false, false]);
});

test('once approved there is nothing to cancel, and the page tells the customer not to pay a second time', () => {
  expect(html(VIEWS.signing)).toContain('<button type="button" class="quiet">Cancel');
  const approved = html(MORE_VIEWS['signing, approved']);
  expect(approved).not.toMatch(/Cancel|Approve in/);
  expect(approved).toContain('Sending your payment');
  expect(approved).toContain('do not pay a second time');
  expect(html(MORE_VIEWS['offline after approval'])).toContain('Do not pay a second time');
});

test('a customer who is blocked reads of money that came, and is not asked for more', () => {
  const { partial, late } = VIEWS;
  const asked = (view: View): boolean => /Pay the whole amount|Start a new payment/.test(html(view));
  const both = [partial, late].map((view) => [asked(view), asked({ ...view, blocked: true })]);
  expect(both).toEqual([
    [true, false],
    [true, false],
  ]);
});

test('what is blocked names the payment, also where none was made', () => {
  const at_link = { ...VIEWS.continue, blocked: true, blocked_payment_id: 'pay_test_b' };
  expect(html(at_link)).toContain('<span class="code">pay_test_b</span>');
  expect(html(VIEWS.blocked)).toContain(`<span class="code">${PAYMENT.payment_id}</span>`);
});

test('what is under way is not left, nor begun anew, when the time is over', () => {
  const ways = (view: View, change: Partial<View>): string[] => {
    const now = Date.parse(PAYMENT.expires_at);
    return html({ ...view, now, ...change }).match(/Start a new payment|Back to the shop|Cancel(?=<)/g) ?? [];
  };
  const approved = MORE_VIEWS['signing, approved'] as View;
  expect(ways(approved, {})).toEqual([]);
  expect(ways(VIEWS.confirming, {})).toEqual([]);
  expect(ways(approved, { approved: false })).toEqual(['Start a new payment', 'Back to the shop']);
  // Of one that has expired nothing is under way.
  expect(ways(VIEWS.expired, { signature: 's' })).toEqual(['Start a new payment', 'Back to the shop']);
});

test('the simulator is at a link too, and has paying late beside the rest; in test mode alone', () => {
  const simulated = (view: View, simulator = true) =>
    html({ ...view, page: { ...view.page, simulator } });
  for (const view of [VIEWS.continue, VIEWS.choose]) {
    expect(simulated(view)).toMatch(/Simulator.*Pay too little.*Pay late.*Chain down/s);
    expect(simulated(view, false)).not.toContain('Simulator');
  }
  expect(simulated({ ...VIEWS.choose, pays_late: true })).toContain('This is paid once the time is over.');
  expect(simulated(VIEWS.expired)).not.toContain('Pay too little');
  for (const state of ['confirmed', 'link closed', 'not found'] as const) expect(simulated(VIEWS[state])).not.toContain('Simulator');
});

test('a link that is full says when a place may be free, and speaks of no payment that is kept', () => {
  const full = html(VIEWS['link full']);
  expect(full).toContain('A place may be free in 15 min.');
  expect(full).toContain('Try again</a>');
  expect(full).not.toMatch(/is kept|closed/);
  const later = Date.parse(PAYMENT.expires_at);
  expect(html({ ...VIEWS['link full'], now: later })).toContain('A place may be free now.');
});
