import type { PaymentToShow } from '@tender/contracts';
import { FakeBrowser, settled } from '../testing/fake-browser';
import { PAYMENT, VIEWS } from '../testing/views';
import { renderView } from '../render-page';
import { firstView, paymentOf, stateOf, type View } from '../view';
import { actionsOf } from './act';
import { handInKept } from './hand-in';
import { payByWallet } from './pay-by-wallet';
import { Store } from './store';
import { Visit } from './visit';

const { link_code, payment_id } = { link_code: 't2G07CmNoapiczVxS8gXbNH', payment_id: PAYMENT.payment_id };
const LINK = VIEWS.continue.page;
const KEPT = `tender:payment:${link_code}`;
const SIGNED = `tender:signed:${payment_id}`;
const late = [{ reason: 'late', token: 'USDC', amount: '4500000', transaction_signature: 's' }] as const;

/** What is on the screen, without the data beside it. */
const sightOf = (view: View): string =>
  renderView(view, { script: 'about:blank', style: '' }).replace(/<script.*?<\/script>/gs, '');

let browser: FakeBrowser;

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['setImmediate'] });
  browser = new FakeBrowser();
  browser.install();
});
afterEach(() => {
  browser.uninstall();
  jest.useRealTimers();
});

/** The link is opened, once a payment was begun there that has come to this. */
async function opens(payment: Partial<PaymentToShow> | null, link: object = {}, now = LINK.now) {
  const shown = { ...LINK.shown, ...link } as typeof LINK.shown;
  if (payment) {
    browser.kept.set(KEPT, payment_id);
    browser.pages.set(`/p/${payment_id}`, { ...VIEWS.shell.page, now, shown: { ...PAYMENT, ...payment } });
  }
  const store = new Store(firstView({ ...LINK, shown, now }));
  const visit = new Visit(store);
  visit.entered = () => void setTimeout(() => void handInKept(visit));
  await visit.begin();
  jest.advanceTimersByTime(1);
  await settled();
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
    await settled();
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
    expect(browser.kept_by_tab.has(SIGNED)).toBe(true);
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
    expect(browser.kept_by_tab.has(SIGNED)).toBe(false);
  });

  const signed = { signed_transaction: 'AQID', customer_wallet: 'w', is_gasless: true };

  test.each<[string, boolean]>([
    ['a look that succeeds', false],
    ['a look that succeeds, and one that does not', true],
  ])('is handed in once more, the same, after %s', async (_, fails_then) => {
    browser.kept_by_tab.set(SIGNED, JSON.stringify({ ...signed, is_gasless: false }));
    let is_lost = true;
    browser.answer = () => is_lost ? Promise.reject(new Error()) : { status: 200, json: { transaction_signature: 'sig' } };
    const tab = await opens({});
    expect([tab.state(), browser.posted.length]).toEqual(['offline', 1]);
    is_lost = false;
    await tab.visit.look();
    if (fails_then) browser.broken_page = [503, '{}'];
    await tab.visit.look();
    jest.advanceTimersByTime(20_000);
    await settled();
    const [one, other] = browser.posted;
    expect([browser.posted.length, other]).toEqual([2, one]);
    expect(browser.kept_by_tab.has(SIGNED)).toBe(false);
    expect(tab.store.view).toMatchObject({ approved: false, signature: 'sig' });
  });

  test('is handed in by the page that is loaded again meanwhile', async () => {
    browser.kept_by_tab.set(SIGNED, JSON.stringify(signed));
    browser.answer = () => ({ status: 200, json: { transaction_signature: 'sig' } });
    browser.broken_page = [503, ''];
    const tab = await opens({});
    expect([tab.state(), browser.posted]).toEqual(['busy', []]);
    browser.broken_page = null;
    tab.actions.retry();
    await settled();
    jest.advanceTimersByTime(1);
    await settled();
    expect(tab.state()).toBe('confirming');
    expect(browser.posted.map(([path, body]) => [path, body])).toEqual([
      [`/api/v1/payments/${payment_id}/submit-gasless-transaction`, { signed_transaction: 'AQID' }],
    ]);
    expect(browser.kept_by_tab.has(SIGNED)).toBe(false);
  });

  test.each([[400, 'invalid_parameter', false], [500, 'internal_error', true]])('after a %i it is kept: %s %s', async (status, code, is_kept) => {
    browser.kept_by_tab.set(SIGNED, JSON.stringify(signed));
    browser.answer = () => ({ status, json: { code } });
    const tab = await opens({});
    expect([tab.state(), tab.store.view.approved, browser.kept_by_tab.has(SIGNED)]).toEqual(['error', is_kept, is_kept]);
  });

  const NO_SPONSOR = { status: 503, json: { code: 'gasless_unavailable' }, headers: { 'retry-after': '60' } };

  test('is given up where the shop pays no fees any more, also by the page that is loaded again', async () => {
    browser.kept_by_tab.set(SIGNED, JSON.stringify(signed));
    browser.answer = () => NO_SPONSOR;
    const tab = await opens({});
    jest.advanceTimersByTime(1);
    await settled();
    expect([tab.state(), tab.store.view.approved, browser.kept_by_tab.has(SIGNED)]).toEqual(['choose', false, false]);
    // What is done next can be left again.
    tab.actions.showQr();
    tab.actions.back();
    expect(tab.state()).toBe('choose');
    await opens({});
    expect(browser.posted.length).toBe(1);
  });

  test('is given up where the shop pays no fees, also when the customer does not sign the next one', async () => {
    const tab = await opens({});
    const answers = [...(await wallet.features['solana:signTransaction'].signTransaction())];
    const signTransaction = () =>
      answers.length > 0
        ? Promise.resolve(answers.splice(0))
        : Promise.reject(Object.assign(new Error(), { code: 4001 }));
    const once = { ...wallet, features: { ...wallet.features, 'solana:signTransaction': { signTransaction } } };
    browser.answer = (path) => path.endsWith('build-transaction')
      ? { status: 200, json: { transaction: 'AQID', requires_backend_submission: true } } : NO_SPONSOR;
    await payByWallet(tab.visit, once as never);
    expect(tab.store.view.approved).toBe(false);
    jest.advanceTimersByTime(1);
    await settled();
    const { approved, note } = tab.store.view;
    expect([tab.state(), approved, note, browser.kept_by_tab.has(SIGNED)]).toEqual(['choose', false, 'rejected', false]);
    expect(browser.posted.map(([path]) => path.split('/').at(-1))).toEqual([
      'build-transaction', 'submit-gasless-transaction', 'build-transaction',
    ]);
  });

  test('is dropped where the payment has ended', async () => {
    browser.kept_by_tab.set(SIGNED, JSON.stringify(signed));
    await opens({ status: 'confirmed' });
    expect([browser.posted, browser.kept_by_tab.has(SIGNED)]).toEqual([[], false]);
  });
});

describe('a look that fails says so, and the next one that succeeds takes it back', () => {
  test.each<[string, readonly [number, string], string]>([
    ['a fault', [500, '{"code":"internal_error"}'], 'error'],
    ['a page that is none', [200, '<html>'], 'error'],
    ['no page', [404, '<html>'], 'error'],
    ['too many looks', [429, '<html>'], 'busy'],
    ['no part answers', [503, '{}'], 'busy'],
  ])('%s', async (_, broken, state) => {
    const tab = await opens({});
    tab.visit.go('choose');
    browser.broken_page = broken;
    await tab.visit.look();
    expect(tab.state()).toBe(state);
    browser.broken_page = null;
    await tab.visit.look();
    expect(tab.state()).toBe('choose');
  });
});

describe('back', () => {
  const rejecting = {
    name: 'Phantom', accounts: [],
    features: { 'standard:connect': { connect: () => Promise.reject(Object.assign(new Error(), { code: 4001 })) } },
  };

  test('leaves the page by one press, however often the wallet was asked', async () => {
    const tab = await opens({});
    tab.visit.go('choose');
    for (let times = 0; times < 3; times += 1) await payByWallet(tab.visit, rejecting as never);
    expect([tab.state(), tab.store.view.note, browser.entries]).toEqual(['choose', 'rejected', 1]);
    browser.fire('popstate');
    expect(browser.gone_to).toEqual(['back']);
  });

  test('from the details leads to the e-mail, and from there off the page', async () => {
    const tab = await opens({ collect_customer_info: true });
    tab.visit.go('email');
    tab.visit.go('info');
    browser.fire('popstate');
    expect([tab.state(), browser.entries, browser.gone_to]).toEqual(['email', 0, []]);
  });

  test('from the code leads to the choice', async () => {
    const tab = await opens({});
    tab.visit.go('choose');
    tab.actions.showQr();
    tab.actions.back();
    expect([tab.state(), browser.entries, browser.gone_to]).toEqual(['choose', 0, []]);
  });
});

test('another language is in the window’s title and in the address, also after a step back', async () => {
  const tab = await opens({});
  tab.actions.speak('fr');
  const { document, location } = browser;
  expect([document.title, document.documentElement.lang]).toEqual(['Payer Corner Coffee', 'fr']);
  expect(location.href).toBe('https://pay.example/l/t?lang=fr');
  tab.visit.go('choose');
  tab.actions.showQr();
  location.href = 'https://pay.example/l/t';
  tab.actions.back();
  expect(location.href).toBe('https://pay.example/l/t?lang=fr');
});

test('what is blocked stays so when the page is loaded again', async () => {
  const tab = await opens({});
  browser.answer = () => ({ status: 402, json: { code: 'payment_blocked' } });
  tab.store.set({ typed: { email: 'ada@example.com' } });
  tab.actions.giveEmail();
  await settled();
  expect(tab.state()).toBe('blocked');
  expect((await opens({})).state()).toBe('blocked');
  browser.kept_by_tab.clear();
  expect((await opens({})).state()).not.toBe('blocked');
});

test('what is blocked before there is a payment names its id, also when the page is loaded again', async () => {
  const tab = await opens(null);
  const id = 'pay_test_blocked';
  browser.answer = () => ({ status: 402, json: { code: 'payment_blocked', details: { payment_id: id } } });
  tab.actions.goOn();
  await settled();
  for (const { store, state } of [tab, await opens(null)]) {
    expect([state(), sightOf(store.view)]).toEqual(['blocked', expect.stringContaining(id)]);
  }
});

test('of a payment that another wallet has begun the page tells which, as the API names it', async () => {
  const tab = await opens({});
  tab.visit.go('choose');
  const details = { bound_wallet: '7aBc…wXyZ' };
  browser.answer = () => ({ status: 409, json: { code: 'wallet_mismatch', details } });
  tab.actions.simulate('pay');
  await settled();
  expect(tab.state()).toBe('switch account');
  expect(sightOf(tab.store.view)).toContain('It was started with 7aBc…wXyZ.');
});

describe('a payment that is blocked', () => {
  const short = [{ ...late[0], reason: 'short' }] as const;
  beforeEach(() => browser.kept_by_tab.set(`tender:blocked:${payment_id}`, 'yes'));

  test('tells of money that came all the same', async () => {
    expect((await opens({ stray_money: short })).state()).toBe('partial');
  });

  test('is followed: money may be on its way', async () => {
    const tab = await opens({});
    expect(tab.state()).toBe('blocked');
    for (const [change, state] of [[{ stray_money: short }, 'partial'], [{ status: 'confirmed' }, 'confirmed']] as const) {
      browser.pages.set(`/p/${payment_id}`, { ...VIEWS.shell.page, shown: { ...PAYMENT, ...change } });
      jest.advanceTimersByTime(5_000);
      await settled();
      expect(tab.state()).toBe(state);
    }
  });

  test('by a later try: the page shows the money again that its customer has read about', async () => {
    browser.kept_by_tab.clear();
    const tab = await opens({ stray_money: short });
    tab.actions.readMoney();
    expect(tab.state()).toBe('choose');
    browser.answer = () => ({ status: 403, json: { code: 'payment_blocked' } });
    tab.actions.simulate('pay');
    await settled();
    expect(tab.state()).toBe('partial');
  });
});

test('a name of blanks is refused before it is sent', async () => {
  const tab = await opens({ collect_customer_info: true });
  tab.actions.giveInfo(['name']);
  await settled();
  expect([tab.store.view.malformed, browser.posted]).toEqual([['name'], []]);
});

describe('the simulator', () => {
  const simulated = () => browser.posted.filter(([path]) => path.endsWith('/simulate')).map(([, body]) => body);

  test('begins the payment of a link by its first press', async () => {
    const tab = await opens(null);
    browser.pages.set(`/p/${payment_id}`, { ...VIEWS.shell.page });
    browser.answer = (path) => ({ status: 200, json: path.endsWith('/pay') ? { payment_id } : { wallet: 'w' } });
    tab.actions.simulate('pay');
    await settled();
    expect([tab.state(), simulated()]).toEqual(['choose', [{ payment_id, scenario: 'pay' }]]);
  });

  test('pays late by one press, once, when the time is over', async () => {
    const tab = await opens({});
    browser.answer = () => ({ status: 200, json: { wallet: 'w' } });
    tab.actions.simulateLate();
    await settled();
    await tab.visit.look();
    expect([tab.store.view.pays_late, simulated()]).toEqual([true, []]);
    browser.pages.set(`/p/${payment_id}`, { ...VIEWS.shell.page, shown: { ...PAYMENT, status: 'expired' } });
    await tab.visit.look();
    await tab.visit.look();
    expect([tab.store.view.pays_late, simulated()]).toEqual([false, [{ payment_id, scenario: 'pay' }]]);
  });
});
