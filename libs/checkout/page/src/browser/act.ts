import type { Wallet } from '@wallet-standard/base';
import type { Actions, Scenario } from '../actions';
import { paymentOf, strayMoney } from '../view';
import { payByWallet } from './pay-by-wallet';
import { copied, Refusal } from '@tender/page/browser';
import type { Visit } from './visit';

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** What each press does. */
export function actionsOf(visit: Visit, wallets: () => readonly Wallet[]): Actions {
  const { store, attempts } = visit;
  const typed = () => Object.fromEntries(Object.entries(store.view.typed).filter(([, text]) => text.trim() !== ''));

  async function tellCustomer(customer: object): Promise<void> {
    const payment_id = await visit.payment();
    try {
      await visit.api.post(`/api/v1/payments/${payment_id}/customer-info`, customer);
    } catch (error) {
      // The first one that is told stays.
      if (!(error instanceof Refusal && error.code === 'customer_info_set')) throw error;
    }
    visit.go('choose');
  }

  return {
    speak: (language) => visit.speak(language),
    type: (field, value) => store.set({ typed: { ...store.view.typed, [field]: value } }),
    giveEmail() {
      if (!EMAIL.test(store.view.typed.email ?? '')) return store.set({ malformed: ['email'] });
      store.set({ note: null, malformed: [] });
      if (store.view.page.shown?.collect_customer_info) return visit.go('info');
      void attempts.run(() => tellCustomer({ email: typed().email }));
    },
    skipEmail: () => goToChoice(),
    giveInfo(blank) {
      if (blank.length > 0) return store.set({ malformed: blank });
      void attempts.run(() => tellCustomer(typed()));
    },
    goOn: () => goToChoice(),
    payWith(name) {
      const wallet = wallets().find((one) => one.name === name);
      if (wallet) void payByWallet(visit, wallet);
    },
    showQr() {
      store.set({ note: null });
      visit.go('qr');
    },
    back: () => history.back(),
    copy: (text) => void copied(text).then((is_copied) => is_copied && store.set({ note: 'copied' })),
    retry() {
      const { shown } = store.view.page;
      const came_in_vain = shown?.kind === 'link' && shown.status === 'held';
      if (came_in_vain) location.reload();
      else attempts.retry();
    },
    startAgain: () => visit.go('choose'),
    readMoney() {
      store.set({ sums_read: strayMoney(store.view).length });
      visit.go('choose');
    },
    newPayment() {
      const code = paymentOf(store.view)?.link_code;
      if (code) void visit.leaveFor(code);
    },
    stay: () => store.set({ leaves_at: null }),
    print: () => print(),
    simulate: (scenario) => void attempts.run(() => simulate(scenario)),
    simulateLate: () =>
      void attempts.run(async () => {
        await begun();
        store.set({ pays_late: true });
      }),
    simulateChainDown() {
      visit.api.failNext();
      void attempts.run(() => visit.api.post('/api/v1/test_helpers/simulate'), () => undefined);
    },
  };

  function goToChoice(): void {
    void attempts.run(async () => {
      await visit.payment();
      visit.go('choose');
    });
  }

  /** The payment of the page; of a known customer’s link the one that it begins. */
  async function begun(): Promise<string> {
    const payment_id = await visit.payment();
    if (store.view.step === 'continue') visit.go('choose');
    return payment_id;
  }

  async function simulate(scenario: Scenario): Promise<void> {
    const payment_id = await begun();
    const { wallet } = await visit.api.simulate(payment_id, scenario);
    if (scenario !== 'block') return visit.expect();
    // That wallet is blocked now: what the API says to it is what a customer sees.
    await visit.api.post(`/api/v1/payments/${payment_id}/build-transaction`, { payer_wallet: wallet });
  }
}
