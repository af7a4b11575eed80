import { merchantKey } from '../../merchant-in-mode';
import { QUEUES, type Queue } from '../queues';
import type { ClaimedDelivery } from './claimed-delivery';
import type { EndpointLoad } from './endpoint-load';

/** Claimed, and waiting for a place in flight. */
export interface Waiting {
  readonly claimed: ClaimedDelivery;
  readonly queue: Queue;
  /** Wall time in milliseconds. */
  readonly claimed_at: number;
}

export interface AheadLimits {
  /** As many wait for an endpoint as it answers in this time, going by its last answers. */
  readonly span_ms: number;
  /** In each queue. */
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

/** What waits for one endpoint. */
interface OfEndpoint {
  readonly queues: Readonly<Record<Queue, Waiting[]>>;
  /** Whose turn it is when something waits in both. */
  turn: Queue;
}

const nothingWaits = (): OfEndpoint => ({ queues: { 0: [], 1: [] }, turn: QUEUES.first });
const otherThan = (queue: Queue): Queue =>
  queue === QUEUES.first ? QUEUES.retry : QUEUES.first;
const sizeOf = ({ queues }: OfEndpoint): number =>
  queues[QUEUES.first].length + queues[QUEUES.retry].length;

/**
 * Deliveries that the sender leases before there is a place for them, so that an endpoint that answers quickly
 * never waits for the database. For one that does not it leases nothing ahead, so that one cannot fill this up.
 *
 * Without it, when the sender claims only what has a place in flight, a delivery costs 11 % more CPU (4…40 % in five
 * runs of both side by side): Postgres has 30 % more to do, as it claims more often and less at once.
 */
export class ClaimedAhead {
  private readonly endpoints = new Map<string, OfEndpoint>();
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
  roomOf(endpoint_id: string, queue: Queue): number {
    const { span_ms, endpoint_max, total_max } = this.limits;
    const most = Math.min(endpoint_max, this.load.endsWithin(endpoint_id, span_ms));
    const waiting = this.endpoints.get(endpoint_id)?.queues[queue].length ?? 0;
    if (waiting > most / 2) return 0;
    return Math.max(0, Math.min(most - waiting, total_max - this.total));
  }

  roomOfMerchant(merchant: string): number {
    return this.limits.merchant_max - (this.counts.get(merchant) ?? 0);
  }

  /** Endpoints and merchants for which nothing may be claimed now. */
  full(queue: Queue): { readonly endpoints: string[]; readonly merchants: string[] } {
    const { endpoints, merchants } = this.load.full();
    const waiting = this.merchants.filter((merchant) => this.roomOfMerchant(merchant) <= 0);
    return {
      endpoints: endpoints.filter((endpoint_id) => this.roomOf(endpoint_id, queue) === 0),
      merchants: [...new Set([...merchants, ...waiting])],
    };
  }

  add(waiting: Waiting): void {
    const { claimed, queue } = waiting;
    const { endpoint_id } = claimed;
    const merchant = merchantKey(claimed);
    const ofEndpoint = this.endpoints.get(endpoint_id) ?? nothingWaits();
    ofEndpoint.queues[queue].push(waiting);
    this.endpoints.set(endpoint_id, ofEndpoint);
    const turns = this.turns.get(merchant) ?? new Set();
    this.turns.set(merchant, turns.add(endpoint_id));
    this.count(merchant, 1);
  }

  /** The merchant's next that may start. Its endpoints take turns, and so do an endpoint's queues. */
  next(merchant: string, wall: number): Waiting | null {
    if (this.load.roomOfMerchant(merchant) <= 0) return null;
    for (const endpoint_id of this.turns.get(merchant) ?? []) {
      if (this.load.roomOf(endpoint_id) <= 0) continue;
      const ofEndpoint = this.endpoints.get(endpoint_id) as OfEndpoint;
      const waiting = this.startable(ofEndpoint, wall);
      if (!waiting) continue;
      this.passTurn(merchant, endpoint_id, ofEndpoint);
      this.count(merchant, -1);
      return waiting;
    }
    return null;
  }

  /** Takes out what was claimed before `wall`; nothing more waits for those endpoints until they have answered. */
  takeOlderThan(wall: number): Waiting[] {
    return [...this.endpoints.keys()].flatMap((endpoint_id) => {
      const old = this.take(endpoint_id, wall);
      if (old.length > 0) this.load.noteWait(endpoint_id);
      return old;
    });
  }

  /** Takes out all that waits for the merchant. */
  takeOf(merchant: string): Waiting[] {
    return [...(this.turns.get(merchant) ?? [])].flatMap((id) => this.take(id, Infinity));
  }

  private take(endpoint_id: string, claimed_before: number): Waiting[] {
    const ofEndpoint = this.endpoints.get(endpoint_id) as OfEndpoint;
    const taken = Object.values(ofEndpoint.queues).flatMap((waiting) => {
      const young = waiting.findIndex(({ claimed_at }) => claimed_at >= claimed_before);
      return waiting.splice(0, young === -1 ? waiting.length : young);
    });
    const [first] = taken;
    if (!first) return [];
    const merchant = merchantKey(first.claimed);
    this.count(merchant, -taken.length);
    this.passTurn(merchant, endpoint_id, ofEndpoint);
    return taken;
  }

  private startable(ofEndpoint: OfEndpoint, wall: number): Waiting | undefined {
    const can = (queue: Queue) =>
      ofEndpoint.queues[queue].length > 0 && this.load.placesOf(queue, wall) > 0;
    const queue = can(ofEndpoint.turn) ? ofEndpoint.turn : otherThan(ofEndpoint.turn);
    if (!can(queue)) return undefined;
    ofEndpoint.turn = otherThan(queue);
    return ofEndpoint.queues[queue].shift();
  }

  private passTurn(merchant: string, endpoint_id: string, ofEndpoint: OfEndpoint): void {
    const turns = this.turns.get(merchant);
    turns?.delete(endpoint_id);
    if (sizeOf(ofEndpoint) > 0) return void turns?.add(endpoint_id);
    this.endpoints.delete(endpoint_id);
    if (turns?.size === 0) this.turns.delete(merchant);
  }

  private count(merchant: string, by: number): void {
    this.total += by;
    const left = (this.counts.get(merchant) ?? 0) + by;
    if (left > 0) this.counts.set(merchant, left);
    else this.counts.delete(merchant);
  }
}
