import type { Language } from '@tender/page';
import {
  firstStep,
  hasEnded,
  idOf,
  paymentOf,
  stateOf,
  type Fault,
  type Interruption,
  type Step,
} from '../view';
import { titleOf, WORDS } from '../words/words';
import { shopAddress } from '../screens/parts';
import type { Refusal } from '@tender/page/browser';
import { Api } from './api';
import { Attempts } from './attempts';
import { beginByLink, forgetBegun } from './begin-by-link';
import { followPayment } from './live-status';
import { loadPageData } from './loaded-page';
import { BLOCKED, memory, memoryOfTab, PAYMENT_AT, SENT_FOR, STEP_OF } from './memory';
import { PageClock } from './page-clock';
import { StepHistory } from './step-history';
import type { Store } from './store';

/** A customer who has read that it is paid goes back to the shop after this, unless it is called off. */
const STAY_MS = 5_000;

/** One visit to the page: which payment it is about, what the server says of it, and where the customer is. */
export class Visit {
  readonly api = new Api();
  readonly attempts: Attempts;
  private readonly clock = new PageClock();
  /** Told once the page is where this browser was. */
  entered: () => void = () => undefined;
  private readonly steps = new StepHistory();
  private has_spoken = false;
  /** What the customer is told since a look went wrong. */
  private told: Interruption | Fault | null = null;
  private follower: ReturnType<typeof followPayment> | null = null;

  constructor(readonly store: Store) {
    this.clock.tell(store.view.page.now);
    this.attempts = new Attempts(store, this.clock, (refusal) => this.refused(refusal));
  }

  /** Goes on where this browser was, as far as it remembers. */
  async begin(): Promise<void> {
    const { shown } = this.store.view.page;
    setInterval(() => this.tick(), 1000);
    addEventListener('online', () => this.attempts.reconnect());
    addEventListener('offline', () => {
      if (!hasEnded(stateOf(this.store.view))) this.attempts.cutOff(() => void this.look());
    });
    addEventListener('popstate', () => this.stepBack());
    const begun = shown?.kind === 'link' ? memory.read(PAYMENT_AT(shown.link_code)) : null;
    // Of its own payment a link that is full says nothing.
    if (begun) this.store.set({ interruption: null });
    if (begun) await this.attempts.run(() => this.goOnWith(begun));
    else this.enter();
  }

  /** The payment of this visit; begun by its link if need be. Pressed twice or in two tabs, it is one. */
  async payment(): Promise<string> {
    const { shown } = this.store.view.page;
    if (shown?.kind !== 'link') return paymentOf(this.store.view)?.payment_id ?? '';
    const payment_id = await beginByLink(this.api, shown.link_code);
    await this.show(payment_id);
    return payment_id;
  }

  /** Where the customer is from now on; what the browser’s own back button leaves. */
  go(step: Step): void {
    const payment_id = paymentOf(this.store.view)?.payment_id;
    if (payment_id && step === 'choose') memory.write(STEP_OF(payment_id), step);
    this.steps.enter(step);
    this.store.set({ step });
  }

  stepBack(): void {
    const { step, approved } = this.store.view;
    const before = this.steps.leave(step);
    this.keepLanguage();
    if (before === null) return;
    // It is on its way. What went back is put in place again, for a cancel that may come later.
    if (approved) return this.steps.enter(step);
    this.attempts.drop();
    this.store.set({ step: before, wallet: null });
  }

  /** Handed in from here: shown as on its way even after a reload. */
  sent(payment_id: string, signature: string): void {
    memory.write(SENT_FOR(payment_id), signature);
    this.store.set({ signature, approved: false });
    this.expect();
  }

  /** Something is about to show. */
  expect(): void {
    this.follower?.hurry();
  }

  /** Asks the server how things are. */
  async look(): Promise<void> {
    const payment_id = paymentOf(this.store.view)?.payment_id;
    if (!payment_id) return;
    const { interruption, fault } = this.store.view;
    try {
      await this.show(payment_id);
      // Of a network that was lost since it was asked, an answer says nothing.
      const { view } = this.store;
      if (interruption && interruption === view.interruption) {
        if (interruption === this.told) this.store.set({ interruption: null });
        // Something else waits for the network, such as what a wallet has signed: it is tried again.
        else if (interruption.state === 'offline') this.attempts.reconnect();
      }
      if (fault && fault === this.told && fault === view.fault) this.store.set({ fault: null });
    } catch (error) {
      const { view } = this.store;
      // Also while a wallet is asked: the customer is told where the payment is, whatever the wallet says.
      if (view.interruption || view.fault || hasEnded(stateOf(view))) return;
      await this.attempts.stop(error, () => void this.look());
      this.told = this.store.view.interruption ?? this.store.view.fault;
    }
  }

  speak(language: Language): void {
    this.has_spoken = true;
    this.store.set({ language });
    this.keepLanguage();
  }

  /** Also in the address: the page that is loaded again speaks it, too. */
  private keepLanguage(): void {
    if (!this.has_spoken) return;
    const { view } = this.store;
    const { language } = view;
    document.documentElement.lang = language;
    document.title = titleOf(view, WORDS[language]);
    const address = new URL(location.href);
    address.searchParams.set('lang', language);
    history.replaceState(history.state, '', address);
  }

  /** The link again, for one more payment. */
  async leaveFor(link_code: string): Promise<void> {
    await forgetBegun(link_code);
    location.assign(`/l/${link_code}${location.search}`);
  }

  private async goOnWith(payment_id: string): Promise<void> {
    const link = this.store.view.page;
    await this.show(payment_id);
    // What became of a payment is shown, however it ended: money may have come, or may come yet.
    if (!paymentOf(this.store.view) && link.shown?.kind === 'link') {
      await forgetBegun(link.shown.link_code);
      this.store.set({ page: link });
    }
    this.enter();
  }

  private enter(): void {
    const { view } = this.store;
    const payment = paymentOf(view);
    const been = payment ? memory.read(STEP_OF(payment.payment_id)) : null;
    const signature = payment ? memory.read(SENT_FOR(payment.payment_id)) : null;
    const blocked_payment_id = memoryOfTab.read(BLOCKED(idOf(view)));
    const blocked = blocked_payment_id !== null;
    const step = been === 'choose' ? 'choose' : firstStep(view);
    this.store.set({ signature, blocked, blocked_payment_id, step });
    this.follow();
    this.entered();
  }

  private async show(payment_id: string): Promise<void> {
    const loaded = await loadPageData(this.api, payment_id);
    const before = stateOf(this.store.view);
    this.clock.tell(loaded.now);
    this.store.set({ page: loaded, now: this.clock.now() });
    const { view } = this.store;
    const state = stateOf(view);
    const payment = paymentOf(view);
    if (state === 'confirmed' && before !== 'confirmed' && before !== 'shell' && payment?.return_url) {
      this.store.set({ leaves_at: this.clock.now() + STAY_MS });
    }
    if (view.pays_late && payment?.status === 'expired') {
      this.store.set({ pays_late: false });
      await this.api.simulate(payment_id, 'pay');
      this.expect();
    }
    if (view.step !== 'shell') this.follow();
  }

  private follow(): void {
    const payment = paymentOf(this.store.view);
    // One that is blocked here is followed, too: money may be on its way.
    if (!payment || payment.status === 'confirmed' || payment.status === 'failed') {
      this.follower?.end();
      this.follower = null;
    } else this.follower ??= followPayment(payment.payment_id, () => this.look());
  }

  private tick(): void {
    this.store.set({ now: this.clock.now() });
    this.attempts.tick();
    const { leaves_at, now } = this.store.view;
    const payment = paymentOf(this.store.view);
    if (leaves_at !== null && now >= leaves_at && payment?.return_url) {
      this.store.set({ leaves_at: null });
      location.assign(shopAddress(payment.return_url, payment));
    }
  }

  /** What the customer typed and the API does not take, beside its field. */
  private showMalformed({ fields }: Refusal['details']): boolean {
    const names = (Array.isArray(fields) ? fields : []).map((one: { field: string }) => one.field);
    if (!names.some((name) => name in this.store.view.typed)) return false;
    this.store.set({ malformed: names });
    if (names.includes('email')) this.go('email');
    return true;
  }

  /** Refusals that are part of paying, each with a screen of its own. */
  private async refused({ status, code, details, retry_after }: Refusal): Promise<boolean> {
    if (status === 402 || code === 'payment_blocked') {
      const blocked_payment_id = textOf(details.payment_id);
      memoryOfTab.write(BLOCKED(idOf(this.store.view)), blocked_payment_id);
      // Also money that was read about is told once more: the page does not say that nothing was taken.
      this.store.set({ blocked: true, blocked_payment_id, sums_read: 0 });
    } else if (code === 'wallet_mismatch') {
      this.store.set({ other_wallet: textOf(details.bound_wallet) });
      this.go('switch account');
    } else if (code === 'customer_info_required') this.go('email');
    else if (code === 'submission_in_flight') {
      this.store.set({ signature: textOf(details.transaction_signature), approved: false });
    } else if (status === 400) return this.showMalformed(details);
    // One that says when to come again has not ended.
    else if (code.startsWith('payment_link_') && retry_after !== null) return false;
    else if (code.startsWith('payment_link_')) location.reload();
    else if (status === 410 || code === 'invalid_payment_state') await this.look();
    else return false;
    return true;
  }
}

/** Of the details of a refusal; empty where it does not say. */
const textOf = (detail: unknown): string => (typeof detail === 'string' ? detail : '');
