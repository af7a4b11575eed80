import type { Runtime } from '@tender/eventing';
import { merchantKey, type MerchantInMode } from '../../merchant-in-mode';
import type { Leases } from '../leases/leases';
import { ALL_QUEUES, QUEUES, type Queue } from '../queues';
import { wakeAll, type WakeUps } from '../wake-up.worker';
import { BLOCKED_MS, BlockedEndpoints } from './blocked-endpoints';
import { claimDeliveries, nextDue } from './claim-deliveries';
import type { ClaimedAhead } from './claimed-ahead';
import type { ClaimedDelivery } from './claimed-delivery';
import type { EndpointLoad } from './endpoint-load';

/** What waits longer for a place is given back. Wall time. */
const WAIT_MAX_MS = 1000;
/** Between looks while something is under way, or is due and cannot be claimed. */
const UNDER_WAY_MS = 250;

interface Needs {
  readonly runtime: Pick<Runtime, 'readModels' | 'clock'>;
  readonly load: EndpointLoad;
  readonly ahead: ClaimedAhead;
  readonly leases: Leases;
  readonly wakeUps: WakeUps;
}

/** Claims what is due, and gives back what must not be attempted with the endpoint that the claim has read. */
export class Claims {
  /** For each claim under way the merchants whose endpoint has changed since it began. */
  private readonly underWay = new Set<Set<string>>();
  private readonly blocked: Readonly<Record<Queue, BlockedEndpoints>> = {
    [QUEUES.first]: new BlockedEndpoints(),
    [QUEUES.retry]: new BlockedEndpoints(),
  };
  private writes = 0;
  /** Business time (ms) at which the queue has the next delivery to claim; null while that is not known. */
  private readonly next_due: Record<Queue, number | null> = {
    [QUEUES.first]: null,
    [QUEUES.retry]: null,
  };
  /** Queues in which the last look found something to claim. */
  private readonly flowing = new Set<Queue>(ALL_QUEUES);

  constructor(private readonly needs: Needs) {}

  get isIdle(): boolean {
    return this.underWay.size === 0;
  }

  /** How long the queue's loop may rest when nothing could be claimed. */
  restMs(queue: Queue): number {
    const { runtime, load, ahead } = this.needs;
    if (this.blocked[queue].size > 0) return BLOCKED_MS;
    const in_flight = Object.values(load.inFlight).some((count) => count > 0);
    const until_due = (this.next_due[queue] ?? 0) - runtime.clock.now();
    return in_flight || ahead.size > 0 || until_due <= 0 ? UNDER_WAY_MS : until_due;
  }

  /** Claims once and answers how many. `onClaimed`: those that may be attempted wait for their places now. */
  async claim(queue: Queue, onClaimed: () => void): Promise<number> {
    const count = (await this.isDue(queue)) ? await this.claimDue(queue, onClaimed) : 0;
    if (count > 0) this.flowing.add(queue);
    else this.flowing.delete(queue);
    return count;
  }

  /** Where the last look found nothing, one question shows whether this one would. */
  private async isDue(queue: Queue): Promise<boolean> {
    const { readModels, clock } = this.needs.runtime;
    this.next_due[queue] = null;
    if (this.flowing.has(queue)) return true;
    const due = (await nextDue(readModels, [queue])) ?? Number.POSITIVE_INFINITY;
    this.next_due[queue] = due;
    return due <= clock.now();
  }

  private async claimDue(queue: Queue, onClaimed: () => void): Promise<number> {
    const { runtime, load, ahead, leases, wakeUps } = this.needs;
    const { readModels, clock } = runtime;
    const changed = new Set<string>();
    this.underWay.add(changed);
    const written_before = this.writes;
    try {
      const wall = clock.wall();
      const { deliveries, blocked } = await claimDeliveries(readModels, {
        ...{ queue, now: clock.now(), wall, owner: leases.owner, load, ahead },
        blocked: this.blocked[queue].at(wall),
      });
      // A result that was written meanwhile may be what they waited for: the loop looks again.
      if (this.writes === written_before) this.blocked[queue].add(blocked, wall);
      else if (blocked.length > 0) wakeUps[queue].wake();
      const outdated = deliveries.filter((claimed) => changed.has(merchantKey(claimed)));
      for (const claimed of deliveries) {
        if (!changed.has(merchantKey(claimed))) ahead.add({ claimed, queue, claimed_at: wall });
      }
      onClaimed();
      await this.giveBack(outdated);
      return deliveries.length;
    } finally {
      this.underWay.delete(changed);
    }
  }

  /** Once this has returned, no attempt begins with what was read of the merchant's endpoint earlier. */
  async endpointChanged(owner: MerchantInMode): Promise<void> {
    const merchant = merchantKey(owner);
    for (const changed of this.underWay) changed.add(merchant);
    await this.giveBack(this.needs.ahead.takeOf(merchant).map(({ claimed }) => claimed));
  }

  /** A delivery that has its result may be the one that blocked others, or is due again at a time of its own. */
  resultsWritten(any_is_due_again: boolean): void {
    this.writes += 1;
    if (any_is_due_again) this.needs.wakeUps[QUEUES.retry].wake();
    for (const queue of ALL_QUEUES) {
      if (this.blocked[queue].size === 0) continue;
      this.blocked[queue].clear();
      this.needs.wakeUps[queue].wake();
    }
  }

  /** A delivery's lease and the secrets that sign it must be fresh when it is attempted. */
  async giveBackStale(): Promise<void> {
    const { runtime, ahead } = this.needs;
    const stale = ahead.takeOlderThan(runtime.clock.wall() - WAIT_MAX_MS);
    await this.giveBack(stale.map(({ claimed }) => claimed));
  }

  private async giveBack(deliveries: readonly ClaimedDelivery[]): Promise<void> {
    if (deliveries.length === 0) return;
    await this.needs.leases.release(deliveries);
    wakeAll(this.needs.wakeUps);
  }
}
