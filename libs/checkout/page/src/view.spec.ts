import { MORE_VIEWS, PAYMENT, VIEWS } from './testing/views';
import { firstStep, firstView, stateOf, type View } from './view';

const AFTER = Date.parse(PAYMENT.expires_at);
const money = (reason: 'late' | 'short' | 'surplus' | 'duplicate' | 'wrong_mint') =>
  [{ reason, token: 'USDC', amount: '1', transaction_signature: 's' }] as const;
const of = (change: object, view: Partial<View> = {}): View => ({
  ...VIEWS.choose,
  page: { ...VIEWS.choose.page, shown: { ...PAYMENT, ...change } },
  ...view,
});
const APPROVED = { step: 'signing', approved: true } as const;

test('each view of the screens is at the screen that it is named after', () => {
  for (const [name, view] of Object.entries(VIEWS)) expect(stateOf(view)).toBe(name);
});

describe('what has happened to the money comes before where the customer is', () => {
  test.each<[string, View, string]>([
    ['paid, though this browser is offline', of({ status: 'confirmed' }, { interruption: VIEWS.offline.interruption }), 'confirmed'],
    ['paid, after a block', of({ status: 'confirmed' }, { blocked: true }), 'confirmed'],
    ['too little, and then a block', of({ stray_money: money('short') }, { blocked: true }), 'partial'],
    ['late money, and a block', of({ status: 'expired', stray_money: money('late') }, { blocked: true }), 'late'],
    ['handed in, and then a block', of({}, { signature: 's', blocked: true }), 'confirming'],
    ['being handed in, after a block', of({}, { ...APPROVED, blocked: true }), 'signing'],
    ['blocked, and the time is over', of({}, { blocked: true, now: AFTER }), 'blocked'],
    ['handed in, and the time is over', of({}, { signature: 's', now: AFTER }), 'confirming'],
    ['being handed in, and the time is over', of({}, { ...APPROVED, now: AFTER }), 'signing'],
    ['being handed in, and the payment has expired', of({ status: 'expired' }, APPROVED), 'expired'],
    ['being handed in, after too little', of({ stray_money: money('short') }, { ...APPROVED, now: AFTER }), 'signing'],
    ['being handed in, and paid', of({ status: 'confirmed' }, APPROVED), 'confirmed'],
    ['handed in, and the API does not say which', of({}, { signature: '' }), 'confirming'],
    ['handed in by another browser', of({ transaction_signature: 's' }), 'confirming'],
    ['handed in, and the payment has expired', of({ status: 'expired' }, { signature: 's' }), 'expired'],
    ['the time is over, though the chain has not said so', of({}, { now: AFTER }), 'expired'],
    ['a second before', of({}, { now: AFTER - 1000 }), 'choose'],
    ['too little, and the time is over', of({ stray_money: money('short') }, { now: AFTER }), 'partial'],
    ['late money', of({ status: 'expired', stray_money: money('late') }), 'late'],
    ['another token', of({ stray_money: money('wrong_mint') }), 'wrong token'],
    ['more than was due says nothing to the customer', of({ stray_money: money('surplus') }), 'choose'],
    ['a second transfer says nothing to the customer', of({ stray_money: money('duplicate') }), 'choose'],
    ['too little, read about', of({ stray_money: money('short') }, { sums_read: 1 }), 'choose'],
  ])('%s', (_, view, state) => expect(stateOf(view)).toBe(state));
});

test('the first step asks for what is not known', () => {
  const { page } = VIEWS.choose;
  const at = (change: object): View => firstView({ ...page, shown: { ...PAYMENT, ...change } });
  expect(firstStep(at({}))).toBe('email');
  expect(firstStep(at({ customer: { email: 'a***@x.test', name: null } }))).toBe('choose');
  expect(firstStep(VIEWS.continue)).toBe('continue');
  expect(firstStep(VIEWS['not found'])).toBe('shell');
  expect(MORE_VIEWS['email empty']?.step).toBe('email');
});
