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
  /** In each lane. */
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
interface Queue {
  readonly lanes: Readonly<Record<Lane, Waiting[]>>;
  /** Whose turn it is when something waits in both. */
  turn: Lane;
}

const otherThan = (lane: Lane): Lane => (lane === LANES.first ? LANES.retry : LANES.first);
const sizeOf = ({ lanes }: Queue): number => lanes[LANES.first].length + lanes[LANES.retry].length;

/** A merchant in one mode. */
export type MerchantOfMode = Pick<ClaimedDelivery, 'mode' | 'merchant_id'>;
export const merchantOf = ({ mode, merchant_id }: MerchantOfMode): string =>
  `${mode}:${merchant_id}`;

/**
 * Deliveries that are leased before there is a place for them, so that an endpoint that answers quickly
 * never waits for the database. One that does not is given nothing ahead, and so cannot fill this up.
 */
export class ClaimedAhead {
  private readonly queues = new Map<string, Queue>();
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
  roomOf(endpoint_id: string, lane: Lane): number {
    const { span_ms, endpoint_max, total_max } = this.limits;
    const most = Math.min(endpoint_max, this.load.endsWithin(endpoint_id, span_ms));
    const waiting = this.queues.get(endpoint_id)?.lanes[lane].length ?? 0;
    if (waiting > most / 2) return 0;
    return Math.max(0, Math.min(most - waiting, total_max - this.total));
  }

  roomOfMerchant(merchant: string): number {
    return this.limits.merchant_max - (this.counts.get(merchant) ?? 0);
  }

  /** Endpoints and merchants for which nothing may be claimed now. */
  full(lane: Lane): { readonly endpoints: string[]; readonly merchants: string[] } {
    const { endpoints, merchants } = this.load.full();
    const waiting = this.merchants.filter((merchant) => this.roomOfMerchant(merchant) <= 0);
    return {
      endpoints: endpoints.filter((endpoint_id) => this.roomOf(endpoint_id, lane) === 0),
      merchants: [...new Set([...merchants, ...waiting])],
    };
  }

  add(waiting: Waiting): void {
    const { claimed, lane } = waiting;
    const { endpoint_id } = claimed;
    const merchant = merchantOf(claimed);
    const queue = this.queues.get(endpoint_id) ?? { lanes: { 0: [], 1: [] }, turn: LANES.first };
    queue.lanes[lane].push(waiting);
    this.queues.set(endpoint_id, queue);
    const turns = this.turns.get(merchant) ?? new Set();
    this.turns.set(merchant, turns.add(endpoint_id));
    this.count(merchant, 1);
  }

  /** The merchant's next that may start. Its endpoints take turns, and so do an endpoint's lanes. */
  next(merchant: string, wall: number): Waiting | null {
    if (this.load.roomOfMerchant(merchant) <= 0) return null;
    for (const endpoint_id of this.turns.get(merchant) ?? []) {
      if (this.load.roomOf(endpoint_id) <= 0) continue;
      const queue = this.queues.get(endpoint_id) as Queue;
      const waiting = this.startable(queue, wall);
      if (!waiting) continue;
      this.passTurn(merchant, endpoint_id, queue);
      this.count(merchant, -1);
      return waiting;
    }
    return null;
  }

  /** Takes out what was claimed before `wall`; those endpoints are given nothing ahead until they answer. */
  takeOlderThan(wall: number): Waiting[] {
    return [...this.queues.keys()].flatMap((endpoint_id) => {
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
    const queue = this.queues.get(endpoint_id) as Queue;
    const taken = Object.values(queue.lanes).flatMap((waiting) => {
      const young = waiting.findIndex(({ claimed_at }) => claimed_at >= claimed_before);
      return waiting.splice(0, young === -1 ? waiting.length : young);
    });
    const [first] = taken;
    if (!first) return [];
    const merchant = merchantOf(first.claimed);
    this.count(merchant, -taken.length);
    this.passTurn(merchant, endpoint_id, queue);
    return taken;
  }

  private startable(queue: Queue, wall: number): Waiting | undefined {
    const can = (lane: Lane) =>
      queue.lanes[lane].length > 0 && this.load.placesIn(lane, wall) > 0;
    const lane = can(queue.turn) ? queue.turn : otherThan(queue.turn);
    if (!can(lane)) return undefined;
    queue.turn = otherThan(lane);
    return queue.lanes[lane].shift();
  }

  private passTurn(merchant: string, endpoint_id: string, queue: Queue): void {
    const turns = this.turns.get(merchant);
    turns?.delete(endpoint_id);
    if (sizeOf(queue) > 0) return void turns?.add(endpoint_id);
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
