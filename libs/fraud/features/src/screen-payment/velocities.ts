import { WINDOW_SECONDS_MAX, type ListKind } from '@tender/fraud-domain';
import type { Mode } from '@tender/kernel';
import { LRUCache } from 'lru-cache';

const SUBJECTS_MAX = 200_000;
export const WINDOW_MS_MAX = WINDOW_SECONDS_MAX * 1000;

/** Of whom payments are counted: `value` is a wallet, or a keyed hash of an address or e-mail. */
export interface Subject {
  readonly mode: Mode;
  readonly by: ListKind;
  readonly value: string;
}

/** Which payments named whom, and when, in business time. The same payment of the same subject counts once. */
export class Velocities {
  private readonly payments = new LRUCache<string, Map<string, number>>({ max: SUBJECTS_MAX });

  note(subject: Subject, payment_id: string, at_ms: number): void {
    const key = keyOf(subject);
    const known = this.payments.get(key) ?? new Map<string, number>();
    const newest_ms = Math.max(known.get(payment_id) ?? 0, at_ms);
    for (const [id, noted_ms] of known) if (noted_ms <= newest_ms - WINDOW_MS_MAX) known.delete(id);
    if (!known.has(payment_id)) known.set(payment_id, at_ms);
    this.payments.set(key, known);
  }

  /** Payments of the last so many milliseconds; `payment_id` is one of them in any case. */
  count(subject: Subject, window_ms: number, payment_id: string, now_ms: number): number {
    const known = this.payments.get(keyOf(subject)) ?? new Map<string, number>();
    let count = 1;
    for (const [id, at_ms] of known)
      if (id !== payment_id && at_ms > now_ms - window_ms) count += 1;
    return count;
  }
}

const keyOf = ({ mode, by, value }: Subject): string => `${mode}|${by}|${value}`;
