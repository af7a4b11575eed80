import type { PageClock } from './page-clock';
import { NoAnswer, Refusal } from './api';
import type { Store } from './store';

/** Where the API does not say when to ask again. */
const PAUSE_MS = 8_000;
/** Browsers say that they are online before they are: the first tries come soon, each later than the last. */
const FIRST_PAUSE_MS = 1_000;

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
      if (turn === this.turn) await this.explain(error, again);
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
    if (interruption && now >= interruption.retry_at) this.retry();
  }

  /** The network is gone: what was to be tried again still is, or else `look`. */
  cutOff(look: () => void): void {
    this.goOffline(this.again ?? look);
  }

  /** The browser says that the network is back. */
  reconnect(): void {
    this.unanswered = 0;
    this.retry();
  }

  private goOffline(again: () => void): void {
    const pause_ms = Math.min(PAUSE_MS, FIRST_PAUSE_MS * 2 ** this.unanswered);
    this.unanswered += 1;
    this.interrupt('offline', again, pause_ms);
  }

  private interrupt(state: 'busy' | 'offline', again: () => void, pause_ms: number): void {
    this.again = again;
    this.store.set({ interruption: { state, retry_at: this.clock.now() + pause_ms } });
  }

  private async explain(error: unknown, again: () => void): Promise<void> {
    if (error instanceof NoAnswer) return this.goOffline(again);
    if (error instanceof Refusal) {
      const { status, retry_after } = error;
      if (await this.refused(error)) return;
      if (status === 429 || status === 503 || error.code === 'idempotency_in_flight') {
        return this.interrupt('busy', again, retry_after === null ? PAUSE_MS : retry_after * 1000);
      }
    }
    this.again = again;
    const correlation_id = error instanceof Refusal ? error.correlation_id : null;
    this.store.set({ fault: { correlation_id } });
  }
}
