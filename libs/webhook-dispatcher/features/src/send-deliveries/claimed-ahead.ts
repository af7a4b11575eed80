import type { ClaimedDelivery } from './claim-deliveries';
import { LANES, type EndpointLoad, type Lane } from './endpoint-load';

/** Claimed, and waiting for a place in flight. */
export interface Waiting {
  readonly claimed: ClaimedDelivery;
  readonly lane: Lane;
  /** Wall time in milliseconds. */
  readonly claimed_at: number;
}

export interface AheadLimits {
  /** An endpoint has waiting what it answers in this time, going by its last answers. */
  readonly span_ms: number;
  readonly endpoint_max: number;
  readonly merchant_max: number;
  readonly total_max: number;
}

export const AHEAD_LIMITS: AheadLimits = {
  span_ms: 250,
  endpoint_max: 64,
  merchant_max: 256,
  total_max: 1024,
};

export const merchantOf = ({ mode, merchant_id }: ClaimedDelivery): string =>
  `${mode}:${merchant_id}`;

/**
 * Deliveries that are leased before there is a place for them, so that an endpoint that answers quickly
 * never waits for the database. One that does not is given nothing ahead, and so cannot fill this up.
 */
export class ClaimedAhead {
  private readonly queues = new Map<string, Waiting[]>();
  /** The endpoints of a merchant that have something waiting, in the order of their turns. */
  private readonly turns = new Map<string, Set<string>>();
  private readonly counts = new Map<string, number>();
  private total = 0;

  constructor(
    private readonly load: EndpointLoad,
    readonly limits: AheadLimits = AHEAD_LIMITS,
  ) {}

  get size(): number {
    return this.total;
  }

  get merchants(): string[] {
    return [...this.turns.keys()];
  }

  /** How many more may be claimed than can start: none until half of those before have started. */
  roomOf(endpoint_id: string): number {
    const { span_ms, endpoint_max, total_max } = this.limits;
    const most = Math.min(endpoint_max, this.load.endsWithin(endpoint_id, span_ms));
    const waiting = this.queues.get(endpoint_id)?.length ?? 0;
    if (waiting > most / 2) return 0;
    return Math.max(0, Math.min(most - waiting, total_max - this.total));
  }

  roomOfMerchant(merchant: string): number {
    return this.limits.merchant_max - (this.counts.get(merchant) ?? 0);
  }

  /** Endpoints and merchants for which nothing may be claimed now. */
  full(): { readonly endpoints: string[]; readonly merchants: string[] } {
    const { endpoints, merchants } = this.load.full();
    const waiting = this.merchants.filter((merchant) => this.roomOfMerchant(merchant) <= 0);
    return {
      endpoints: endpoints.filter((endpoint_id) => this.roomOf(endpoint_id) === 0),
      merchants: [...new Set([...merchants, ...waiting])],
    };
  }

  add(waiting: Waiting): void {
    const { claimed } = waiting;
    const merchant = merchantOf(claimed);
    const queue = this.queues.get(claimed.endpoint_id);
    if (queue) queue.push(waiting);
    else this.queues.set(claimed.endpoint_id, [waiting]);
    const turns = this.turns.get(merchant) ?? new Set();
    this.turns.set(merchant, turns.add(claimed.endpoint_id));
    this.count(merchant, 1);
  }

  /** The merchant's next that may start: its endpoints take turns, first attempts go before retries. */
  next(merchant: string, wall: number): Waiting | null {
    if (this.load.roomOfMerchant(merchant) <= 0) return null;
    for (const endpoint_id of this.turns.get(merchant) ?? []) {
      const index = this.load.roomOf(endpoint_id) > 0 ? this.startable(endpoint_id, wall) : -1;
      if (index === -1) continue;
      const queue = this.queues.get(endpoint_id) as Waiting[];
      const [found] = queue.splice(index, 1) as [Waiting];
      this.passTurn(merchant, endpoint_id, queue);
      this.count(merchant, -1);
      return found;
    }
    return null;
  }

  /** Takes out what was claimed before `wall`. */
  takeOlderThan(wall: number): Waiting[] {
    const old: Waiting[] = [];
    for (const [endpoint_id, queue] of this.queues) {
      const stale = queue.filter(({ claimed_at }) => claimed_at < wall);
      const [first] = stale;
      if (!first) continue;
      old.push(...stale);
      const merchant = merchantOf(first.claimed);
      this.count(merchant, -stale.length);
      queue.splice(0, queue.length, ...queue.filter(({ claimed_at }) => claimed_at >= wall));
      this.passTurn(merchant, endpoint_id, queue);
    }
    return old;
  }

  private startable(endpoint_id: string, wall: number): number {
    const queue = this.queues.get(endpoint_id) ?? [];
    for (const lane of [LANES.first, LANES.retry]) {
      const index = queue.findIndex((waiting) => waiting.lane === lane);
      if (index !== -1 && this.load.placesIn(lane, wall) > 0) return index;
    }
    return -1;
  }

  private passTurn(merchant: string, endpoint_id: string, queue: readonly Waiting[]): void {
    const turns = this.turns.get(merchant);
    turns?.delete(endpoint_id);
    if (queue.length > 0) return void turns?.add(endpoint_id);
    this.queues.delete(endpoint_id);
    if (turns?.size === 0) this.turns.delete(merchant);
  }

  private count(merchant: string, by: number): void {
    this.total += by;
    const left = (this.counts.get(merchant) ?? 0) + by;
    if (left > 0) this.counts.set(merchant, left);
    else this.counts.delete(merchant);
  }
}
