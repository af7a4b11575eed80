import { recentlyUsed } from '@tender/eventing';
import { WINDOW_SECONDS_MAX, type ListKind } from '@tender/fraud-domain';
import type { Mode } from '@tender/kernel';

const SUBJECTS_MAX = 200_000;
export const WINDOW_MS_MAX = WINDOW_SECONDS_MAX * 1000;

/** Of whom payments are counted: `value` is a wallet, or a keyed hash of an address or e-mail. */
export interface Subject {
  readonly mode: Mode;
  readonly by: ListKind;
  readonly value: string;
}

/**
 * Which payments named whom, and when, in business time. The same payment of the same subject counts once. What it
 * costs to note or to count one does not grow with how many there are: a shop's customers may share one address.
 */
export class Velocities {
  private readonly subjects = recentlyUsed<PaymentTimes>(SUBJECTS_MAX);

  note(subject: Subject, payment_id: string, at_ms: number): void {
    const key = keyOf(subject);
    const known = this.subjects.get(key) ?? new PaymentTimes();
    known.note(payment_id, at_ms);
    this.subjects.set(key, known);
  }

  /** Payments of the last so many milliseconds; `payment_id` is one of them in any case. */
  count(subject: Subject, window_ms: number, payment_id: string, now_ms: number): number {
    return this.subjects.get(keyOf(subject))?.countWith(payment_id, now_ms - window_ms) ?? 1;
  }
}

/** The payments of one subject, those of the longest window. */
class PaymentTimes {
  private readonly by_payment = new Map<string, number>();
  /** The same times, oldest first. */
  private readonly times: number[] = [];

  note(payment_id: string, at_ms: number): void {
    const forgotten_ms = Math.max(at_ms, this.times.at(-1) ?? at_ms) - WINDOW_MS_MAX;
    this.forget(forgotten_ms);
    if ((this.by_payment.get(payment_id) ?? forgotten_ms) > forgotten_ms) return;
    this.by_payment.delete(payment_id);
    this.by_payment.set(payment_id, at_ms);
    // Nearly always the newest; what another replica has screened may be older.
    this.times.splice(this.upTo(at_ms), 0, at_ms);
  }

  /** Those after that time, and this payment whenever it was. */
  countWith(payment_id: string, since_ms: number): number {
    const counted = this.times.length - this.upTo(since_ms);
    const own_ms = this.by_payment.get(payment_id);
    return own_ms !== undefined && own_ms > since_ms ? counted : counted + 1;
  }

  /** Half of them at once: dropping the oldest moves all others. */
  private forget(until_ms: number): void {
    const forgotten = this.upTo(until_ms);
    if (forgotten * 2 < this.times.length) return;
    this.times.splice(0, forgotten);
    // In the order in which they came, which is that of their times but for a few that stay a little longer.
    for (const [id, at_ms] of this.by_payment) {
      if (at_ms > until_ms) break;
      this.by_payment.delete(id);
    }
  }

  /** How many are not after that time. */
  private upTo(at_ms: number): number {
    let [low, high] = [0, this.times.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.times[middle] as number) > at_ms) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

const keyOf = ({ mode, by, value }: Subject): string => `${mode}|${by}|${value}`;
