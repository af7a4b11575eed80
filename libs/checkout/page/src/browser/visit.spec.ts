import type { PaymentToShow } from '@tender/contracts';
import { FakeBrowser, settled } from '../testing/fake-browser';
import { PAYMENT, VIEWS } from '../testing/views';
import { firstView, paymentOf, stateOf } from '../view';
import { actionsOf } from './act';
import { payByWallet } from './pay-by-wallet';
import { Store } from './store';
import { Visit } from './visit';

const { link_code, payment_id } = { link_code: 't2G07CmNoapiczVxS8gXbNH', payment_id: PAYMENT.payment_id };
const LINK = VIEWS.continue.page;
const KEPT = `tender:payment:${link_code}`;
const late = [{ reason: 'late', token: 'USDC', amount: '4500000', transaction_signature: 's' }] as const;

let browser: FakeBrowser;

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['setImmediate'] });
  browser = new FakeBrowser();
  browser.install();
});
afterEach(() => jest.useRealTimers());

/** The link is opened, once a payment was begun there that has come to this. */
async function opens(payment: Partial<PaymentToShow> | null, link: object = {}, now = LINK.now) {
  const shown = { ...LINK.shown, ...link } as typeof LINK.shown;
  if (payment) {
    browser.kept.set(KEPT, payment_id);
    browser.pages.set(`/p/${payment_id}`, { ...VIEWS.shell.page, now, shown: { ...PAYMENT, ...payment } });
  }
  const store = new Store(firstView({ ...LINK, shown, now }));
  const visit = new Visit(store);
  await visit.begin();
  return { store, visit, actions: actionsOf(visit, () => []), state: () => stateOf(store.view) };
}

describe('a link that is opened again shows what became of its payment', () => {
  test.each<[string, Partial<PaymentToShow>, string]>([
    ['money that came late', { status: 'expired', stray_money: late }, 'late'],
    ['too little, and the time is over', { status: 'expired', stray_money: [{ ...late[0], reason: 'short' }] }, 'partial'],
    ['nothing came in time', { status: 'expired' }, 'expired'],
    ['a transfer that does not match', { status: 'failed' }, 'failed'],
    ['paid', { status: 'confirmed' }, 'confirmed'],
  ])('%s', async (_, payment, state) => {
    const tab = await opens(payment);
    expect(tab.state()).toBe(state);
    expect(browser.kept.get(KEPT)).toBe(payment_id);
    // Another one is begun by a press alone.
    tab.actions.newPayment();
    expect([browser.kept.has(KEPT), browser.gone_to]).toEqual([false, [`/l/${link_code}`]]);
  });

  test('also where the link is full, of this very payment', async () => {
    const tab = await opens({ link_status: 'held' }, { status: 'held', free_at: PAYMENT.expires_at });
    expect([tab.state(), paymentOf(tab.store.view)?.payment_id]).toEqual(['email', payment_id]);
  });
});

describe('a link that is full for now', () => {
  const held = { status: 'held', free_at: PAYMENT.expires_at };

  test('says so at once, and asks anew when it is pressed', async () => {
    const tab = await opens(null, held);
    expect(tab.state()).toBe('link full');
    tab.actions.retry();
    expect(browser.gone_to).toEqual(['']);
  });

  test.each([
    [410, 'payment_link_exhausted'],
    [429, 'too_many_open_payments'],
  ])('%i %s: tried again by a press, and never by itself', async (status, code) => {
    const tab = await opens(null);
    browser.answer = () => ({ status, json: { code }, headers: { 'retry-after': '600' } });
    tab.actions.goOn();
    await settled();
    expect([tab.state(), browser.gone_to]).toEqual(['link full', []]);
    const { now, interruption } = tab.store.view;
    expect((interruption?.retry_at ?? 0) - now).toBeGreaterThan(590_000);
    browser.fire('offline');
    browser.fire('online');
    jest.advanceTimersByTime(700_000);
    await settled();
    expect([tab.state(), browser.posted.length]).toEqual(['link full', 1]);
    tab.actions.retry();
    await settled();
    // By another key: to the first one the API says the same for ever.
    const keys = browser.posted.map(([, , key]) => key);
    expect([keys.length, new Set(keys).size]).toEqual([2, 2]);
  });

  test('one that is used up has ended', async () => {
    const tab = await opens(null);
    browser.answer = () => ({ status: 410, json: { code: 'payment_link_exhausted' } });
    tab.actions.goOn();
    await settled();
    expect(browser.gone_to).toEqual(['']);
  });
});

describe('what the wallet has signed', () => {
  const account = { address: 'w', features: ['solana:signTransaction'], chains: [] };
  const wallet = {
    name: 'Phantom', accounts: [],
    features: {
      'standard:connect': { connect: async () => ({ accounts: [account] }) },
      'solana:signTransaction': { signTransaction: async () => [{ signedTransaction: Uint8Array.of(1, 2, 3) }] },
    },
  };

  test('is handed in whatever is pressed, and once more, the same, where the answer was lost', async () => {
    const { store, visit, state } = await opens({});
    visit.go('choose');
    const answers: ((lost?: boolean) => void)[] = [];
    browser.answer = (path) => {
      if (path.endsWith('build-transaction')) return { status: 200, json: { transaction: 'AQID', requires_backend_submission: false } };
      return new Promise((done, fail) => answers.push((lost = false) =>
        lost ? fail(new Error()) : done({ status: 200, json: { transaction_signature: 'sig' } })));
    };
    void payByWallet(visit, wallet as never);
    await settled();
    expect([state(), store.view.approved, browser.entries]).toEqual(['signing', true, 1]);
    browser.fire('popstate');
    expect([state(), store.view.approved, browser.entries]).toEqual(['signing', true, 1]);
    answers[0]?.(true);
    await settled();
    expect([state(), store.view.approved]).toEqual(['offline', true]);
    visit.attempts.retry();
    await settled();
    answers[1]?.();
    await settled();
    expect(state()).toBe('confirming');
    const [, one, other] = browser.posted;
    expect(one?.[1]).toEqual({ signed_transaction: 'AQID', customer_wallet: 'w' });
    expect(other).toEqual(one);
  });
});
