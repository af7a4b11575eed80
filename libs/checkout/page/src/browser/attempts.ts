import type { PageClock } from './page-clock';
import { NoAnswer, Refusal } from '@tender/page/browser';
import type { Interruption } from '../view';
import type { Store } from './store';

/** Where the API does not say when to ask again. */
const PAUSE_MS = 8_000;
/** Browsers say that they are online before they are: the first tries come soon, each later than the last. */
const FIRST_PAUSE_MS = 1_000;

/** Open payments hold what the link has left, or what one address may hold of it. */
const FULL: ReadonlySet<string> = new Set(['payment_link_exhausted', 'too_many_open_payments']);

export interface Refused {
  /** True: it has said what the customer sees now. */
  (refusal: Refusal): boolean | Promise<boolean>;
}

/** One thing at a time: a second press does nothing, and what could not be done is tried again. */
export class Attempts {
  private again: (() => void) | null = null;
  private turn = 0;
  /** In a row, without an answer. */
  private unanswered = 0;

  constructor(
    private readonly store: Store,
    private readonly clock: PageClock,
    /** Refusals that are part of paying. */
    private readonly refused: Refused,
  ) {}

  /** `again` is what trying once more means, where that is more than the action. */
  async run(
    action: () => Promise<void>,
    again: () => void = () => void this.run(action),
  ): Promise<void> {
    if (this.store.view.waiting) return;
    const turn = (this.turn += 1);
    this.store.set({ waiting: true, note: null, fault: null, malformed: [] });
    try {
      await action();
      this.unanswered = 0;
      if (turn === this.turn) this.store.set({ interruption: null });
    } catch (error) {
      if (turn === this.turn) await this.stop(error, again);
    } finally {
      if (turn === this.turn) this.store.set({ waiting: false });
    }
  }

  /** What is under way, or was to be tried again, is of no interest any more. */
  drop(): void {
    this.turn += 1;
    this.again = null;
    this.store.set({ waiting: false });
  }

  /** Tells whether the attempt that asks has been dropped meanwhile. */
  current(): () => boolean {
    const turn = this.turn;
    return () => turn === this.turn;
  }

  retry(): void {
    const { again } = this;
    this.again = null;
    this.store.set({ interruption: null, fault: null });
    again?.();
  }

  /** Once a second. */
  tick(): void {
    const { interruption, now } = this.store.view;
    if (interruption && !this.waitsForPress() && now >= interruption.retry_at) this.retry();
  }

  /** The network is gone: what was to be tried again still is, or else `look`. */
  cutOff(look: () => void): void {
    if (!this.waitsForPress()) this.goOffline(this.again ?? look);
  }

  /** The browser says that the network is back. */
  reconnect(): void {
    this.unanswered = 0;
    if (!this.waitsForPress()) this.retry();
  }

  /** Nothing goes on, for this reason: the customer is told, and may try again. */
  async stop(error: unknown, again: () => void): Promise<void> {
    if (error instanceof NoAnswer) return this.goOffline(again);
    if (error instanceof Refusal) {
      const { status, retry_after } = error;
      if (await this.refused(error)) return;
      if (FULL.has(error.code) || status === 429 || status === 503 || error.code === 'idempotency_in_flight') {
        const state = FULL.has(error.code) ? 'link full' : 'busy';
        return this.interrupt(state, again, retry_after === null ? PAUSE_MS : retry_after * 1000);
      }
    }
    this.again = again;
    const correlation_id = error instanceof Refusal ? error.correlation_id : null;
    this.store.set({ fault: { correlation_id } });
  }

  /** A place of a link is taken for a customer who is there. */
  private waitsForPress(): boolean {
    return this.store.view.interruption?.state === 'link full';
  }

  private goOffline(again: () => void): void {
    const pause_ms = Math.min(PAUSE_MS, FIRST_PAUSE_MS * 2 ** this.unanswered);
    this.unanswered += 1;
    this.interrupt('offline', again, pause_ms);
  }

  private interrupt(state: Interruption['state'], again: () => void, pause_ms: number): void {
    this.again = again;
    this.store.set({ interruption: { state, retry_at: this.clock.now() + pause_ms } });
  }
}
