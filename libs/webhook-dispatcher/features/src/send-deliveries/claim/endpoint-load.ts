import type { Queue } from '../queues';

/** What may be in flight at once. */
export interface LoadLimits {
  readonly endpoint_max: number;
  readonly merchant_max: number;
  /** Attempts from a queue that are younger than `young_ms`. */
  readonly queue_max: Readonly<Record<Queue, number>>;
  /** Attempts of slow endpoints, and those that outgrew the places of their queue. */
  readonly slow_max: number;
  readonly young_ms: number;
  /** A p95 above this makes an endpoint slow; so does a time-out. */
  readonly slow_ms: number;
  readonly quick_ms: number;
  /** So many quick answers in a row make it a normal one again. */
  readonly quick_answers: number;
}

export const LOAD_LIMITS: LoadLimits = {
  endpoint_max: 4,
  merchant_max: 16,
  queue_max: { 0: 2048, 1: 512 },
  slow_max: 1024,
  young_ms: 1000,
  slow_ms: 3000,
  quick_ms: 1000,
  quick_answers: 20,
};

const SAMPLES = 20;
const REMEMBERED_MAX = 50_000;

interface Known {
  in_flight: number;
  slow: boolean;
  quick_in_a_row: number;
  readonly durations_ms: number[];
  /** Null while no attempt has ended. */
  p95_ms: number | null;
}

/** One attempt in flight. */
export interface Flight {
  readonly endpoint_id: string;
  readonly merchant: string;
  readonly queue: Queue;
  /** Wall time in milliseconds. */
  readonly started_at: number;
}

/**
 * What this process has in flight, per endpoint, merchant and queue. An attempt holds a place of its queue
 * for a second at most: endpoints that hang cannot use up the places of those that answer.
 */
export class EndpointLoad {
  private readonly endpoints = new Map<string, Known>();
  private readonly merchants = new Map<string, number>();
  private readonly young: Readonly<Record<Queue, Set<Flight>>> = { 0: new Set(), 1: new Set() };
  private readonly slow = new Set<Flight>();
  private readonly busy = new Set<string>();
  private readonly slowEndpoints = new Set<string>();

  constructor(private readonly limits: LoadLimits = LOAD_LIMITS) {}

  /** Attempts under way, by the places that they take. */
  get inFlight(): { readonly first: number; readonly retry: number; readonly slow: number } {
    return { first: this.young[0].size, retry: this.young[1].size, slow: this.slow.size };
  }

  /** How many more attempts may start from the queue. `wall` in milliseconds. */
  placesOf(queue: Queue, wall: number): number {
    for (const flight of this.young[queue]) {
      if (!this.hasOutgrown(flight, wall)) break;
      this.young[queue].delete(flight);
      this.slow.add(flight);
    }
    return Math.max(0, this.limits.queue_max[queue] - this.young[queue].size);
  }

  /** The attempt holds no place of its queue any more: it is among the slow ones. */
  hasOutgrown({ started_at }: Flight, wall: number): boolean {
    return wall - started_at >= this.limits.young_ms;
  }

  /** How many more attempts this endpoint may have. */
  roomOf(endpoint_id: string): number {
    const known = this.endpoints.get(endpoint_id);
    if (!known?.slow) return this.limits.endpoint_max - (known?.in_flight ?? 0);
    return known.in_flight === 0 && this.slow.size < this.limits.slow_max ? 1 : 0;
  }

  roomOfMerchant(merchant: string): number {
    return this.limits.merchant_max - (this.merchants.get(merchant) ?? 0);
  }

  /** How many attempts the endpoint ends in `span_ms`, as it has answered lately; 0 while that is unknown. */
  endsWithin(endpoint_id: string, span_ms: number): number {
    const known = this.endpoints.get(endpoint_id);
    if (!known || known.slow || known.p95_ms === null) return 0;
    return Math.floor((this.limits.endpoint_max * span_ms) / Math.max(1, known.p95_ms));
  }

  /** Endpoints and merchants that may start nothing now. */
  full(): { readonly endpoints: string[]; readonly merchants: string[] } {
    const candidates = new Set([...this.busy, ...this.slowEndpoints]);
    const endpoints = [...candidates].filter((id) => this.roomOf(id) <= 0);
    const merchants = [...this.merchants.keys()].filter((id) => this.roomOfMerchant(id) <= 0);
    return { endpoints, merchants };
  }

  started(flight: Flight): void {
    const known = this.knownOf(flight.endpoint_id);
    known.in_flight += 1;
    this.busy.add(flight.endpoint_id);
    this.merchants.set(flight.merchant, (this.merchants.get(flight.merchant) ?? 0) + 1);
    (known.slow ? this.slow : this.young[flight.queue]).add(flight);
  }

  ended(flight: Flight): void {
    this.young[flight.queue].delete(flight);
    this.slow.delete(flight);
    const known = this.knownOf(flight.endpoint_id);
    known.in_flight -= 1;
    if (known.in_flight === 0) this.busy.delete(flight.endpoint_id);
    const left = (this.merchants.get(flight.merchant) ?? 1) - 1;
    if (left > 0) this.merchants.set(flight.merchant, left);
    else this.merchants.delete(flight.merchant);
  }

  /** Learns how quick the endpoint is from an attempt that ended. */
  noteAnswer(endpoint_id: string, duration_ms: number, timed_out: boolean): void {
    const known = this.knownOf(endpoint_id);
    known.durations_ms.push(duration_ms);
    if (known.durations_ms.length > SAMPLES) known.durations_ms.shift();
    known.p95_ms = percentile95(known.durations_ms);
    const quick = duration_ms < this.limits.quick_ms && !timed_out;
    known.quick_in_a_row = quick ? known.quick_in_a_row + 1 : 0;
    if (timed_out || known.p95_ms > this.limits.slow_ms) {
      known.slow = true;
      this.slowEndpoints.add(endpoint_id);
    }
    if (known.slow && known.quick_in_a_row >= this.limits.quick_answers) {
      known.slow = false;
      known.durations_ms.length = 0;
      known.p95_ms = null;
      this.slowEndpoints.delete(endpoint_id);
    }
  }

  /** It kept deliveries waiting: how quick it is is unknown until it has answered again. */
  noteWait(endpoint_id: string): void {
    const known = this.endpoints.get(endpoint_id);
    if (known) known.p95_ms = null;
  }

  private knownOf(endpoint_id: string): Known {
    const known = this.endpoints.get(endpoint_id);
    if (known) return known;
    const fresh = { in_flight: 0, slow: false, quick_in_a_row: 0, durations_ms: [], p95_ms: null };
    if (this.endpoints.size >= REMEMBERED_MAX) this.forgetIdle();
    this.endpoints.set(endpoint_id, fresh);
    return fresh;
  }

  private forgetIdle(): void {
    for (const [id, { in_flight, slow }] of this.endpoints) {
      if (in_flight === 0 && !slow) this.endpoints.delete(id);
    }
  }
}

function percentile95(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.ceil(sorted.length * 0.95) - 1] ?? 0;
}
