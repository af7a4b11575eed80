import { inTime, type Delays } from '@tender/eventing';

/** How many gateways answer on one log, and what it takes when they are several. */
export type Gateways =
  | { readonly alone: true }
  | {
      readonly alone: false;
      readonly delays: Delays;
      /** Milliseconds since any moment, by a clock that never goes back and runs on while the process stands still. */
      readonly elapsed_ms: () => number;
    };

/** A gateway answers from memory for so long after it last knew all that was in the log. */
export const FRESH_MS = 500;
/** A thousand times what clocks may differ by in that time. */
const MARGIN_MS = 100;
const RENEW_AFTER_MS = FRESH_MS / 4;
/** A log that answers proves it within a few milliseconds. */
const PROOF_WAIT_MS = 100;

/**
 * Whether what this gateway has in memory may be used: only while it is proven to be at most `FRESH_MS` old.
 * A rotation waits that long, and then no gateway uses the old key, not even one that is cut off, stopped or far
 * behind. No process has to know how many gateways there are, or which of them have died (ADR 0008).
 */
export class ProvenFresh {
  private until_ms = Number.NEGATIVE_INFINITY;
  private renew_at_ms = Number.NEGATIVE_INFINITY;
  private is_proving = false;

  constructor(
    private readonly gateways: Gateways,
    /** Resolves once everything that is in the log at the time of the call is known here. */
    private readonly knowAll: () => Promise<void>,
  ) {}

  /** Asks for the next proof in the background, so that a gateway in use never waits for one. */
  holds(): boolean {
    if (this.gateways.alone) return true;
    const now_ms = this.gateways.elapsed_ms();
    if (now_ms >= this.renew_at_ms && !this.is_proving) void this.prove(now_ms);
    return now_ms < this.until_ms;
  }

  /** The same, after a proof that begins now: for a caller that can wait, `PROOF_WAIT_MS` at most. */
  async proven(): Promise<boolean> {
    if (this.gateways.alone) return true;
    const { delays, elapsed_ms } = this.gateways;
    await inTime(delays, this.prove(elapsed_ms()), PROOF_WAIT_MS, () => undefined);
    return elapsed_ms() < this.until_ms;
  }

  /** Resolves when no gateway still uses what an event in the log, written before the call, takes back. */
  async outwaited(): Promise<void> {
    if (this.gateways.alone) return;
    const { delays, elapsed_ms } = this.gateways;
    const end_ms = elapsed_ms() + FRESH_MS + MARGIN_MS;
    // Timers may be early.
    for (let left_ms = FRESH_MS + MARGIN_MS; left_ms > 0; left_ms = end_ms - elapsed_ms()) {
      await new Promise<void>((resolve) => void delays.after(left_ms, resolve));
    }
  }

  /** The time counts from before the question: what is appended while it is answered may be missing. */
  private async prove(asked_ms: number): Promise<void> {
    this.is_proving = true;
    try {
      await this.knowAll();
      this.until_ms = asked_ms + FRESH_MS;
      this.renew_at_ms = asked_ms + RENEW_AFTER_MS;
    } catch {
      // Not proven: the directory looks keys up in the table meanwhile, and that error says what is wrong.
    } finally {
      this.is_proving = false;
    }
  }
}
