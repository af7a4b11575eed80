import { Unavailable, type Sql } from '@tender/eventing';
import type { Clock } from '@tender/kernel';
import { readEndpoints } from '../endpoint-view/endpoint-row';
import { merchantKey, type MerchantInMode } from '../merchant-in-mode';
import type { Endpoints } from './plan-deliveries';

const PATIENCE_MS = 5000;

/**
 * The endpoints of a batch. The planner may hear of a merchant's first payment before it hears of the merchant:
 * the two come by different streams. So an unknown merchant makes the batch come again for a while, and after
 * that only its own messages wait, parked: the planner plans nothing without knowing where it should go.
 */
export class KnownEndpoints {
  /** Wall time at which the planner first missed a merchant. */
  private readonly missed = new Map<string, number>();

  constructor(private readonly clock: Pick<Clock, 'wall'>) {}

  /** Throws `Unavailable` while the whole batch should wait, another error when only this merchant's events should. */
  async of(owners: readonly MerchantInMode[], tx: Sql): Promise<Endpoints> {
    const known = await readEndpoints(tx, owners);
    const unknown = owners.map(merchantKey).filter((key) => !known.get(key)?.configured);
    const waiting = unknown.filter((key) => this.isWorthWaiting(key));
    for (const [key, { configured }] of known) if (configured) this.missed.delete(key);
    if (waiting.length > 0) {
      throw new Unavailable('webhook endpoints', { reason: 'a merchant is not known yet' });
    }
    if (unknown.length > 0) throw new Error('the merchant of this event is not known here yet');
    return known;
  }

  private isWorthWaiting(key: string): boolean {
    const since = this.missed.get(key) ?? this.clock.wall();
    this.missed.set(key, since);
    return this.clock.wall() - since < PATIENCE_MS;
  }
}
