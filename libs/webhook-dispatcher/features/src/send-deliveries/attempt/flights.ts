import type { Runtime } from '@tender/eventing';
import type { ClaimedAhead } from '../claim/claimed-ahead';
import type { ClaimedDelivery } from '../claim/claimed-delivery';
import type { EndpointLoad, Flight } from '../claim/endpoint-load';
import { ALL_QUEUES, type Queue } from '../queues';
import { wakeAll, type WakeUps } from '../wake-up.worker';
import { attemptDelivery, type AttemptResult } from './attempt-delivery';

interface Needs {
  readonly runtime: Runtime;
  readonly load: EndpointLoad;
  readonly ahead: ClaimedAhead;
  readonly wakeUps: WakeUps;
  /** Returns at once: the place is free with the answer, not with the record of it. */
  readonly record: (result: AttemptResult) => void;
}

/** Attempts in flight: each starts as soon as there is a place for it, and ends with a result to record. */
export class Flights {
  private readonly underWay = new Set<Promise<void>>();
  private stopped = true;

  constructor(private readonly needs: Needs) {}

  get isIdle(): boolean {
    return this.underWay.size === 0;
  }

  start(): void {
    this.stopped = false;
  }

  /** Nothing starts any more; what is in flight goes on. */
  stop(): void {
    this.stopped = true;
  }

  async ended(): Promise<void> {
    await Promise.all(this.underWay);
  }

  launchAll(): void {
    for (const merchant of this.needs.ahead.merchants) this.launchOf(merchant);
  }

  private launchOf(merchant: string): void {
    const { runtime, ahead } = this.needs;
    while (!this.stopped) {
      const wall = runtime.clock.wall();
      const waiting = ahead.next(merchant, wall);
      if (!waiting) return;
      const { claimed, queue } = waiting;
      const { endpoint_id } = claimed;
      this.launch(claimed, { endpoint_id, merchant, queue, started_at: wall });
    }
  }

  private launch(claimed: ClaimedDelivery, flight: Flight): void {
    this.needs.load.started(flight);
    const attempt = this.attempt(claimed, flight).finally(() => {
      this.underWay.delete(attempt);
      this.freePlace(flight);
    });
    this.underWay.add(attempt);
  }

  private async attempt(claimed: ClaimedDelivery, { endpoint_id }: Flight): Promise<void> {
    const { runtime, load, record } = this.needs;
    try {
      const result = await attemptDelivery(runtime, claimed);
      const { attempt } = result;
      if (attempt) {
        const timed_out = attempt.outcome === 'timed_out';
        load.noteAnswer(endpoint_id, attempt.duration_ms, timed_out);
      }
      record(result);
    } catch (error) {
      // Not the receiver's fault. The lease ends by itself, and the delivery is attempted again.
      const { id: delivery, correlation_id } = claimed;
      runtime.log.error({ err: error, delivery, correlation_id }, 'a webhook attempt broke off');
    }
  }

  /** Fills the place with what waits for it, and wakes the loops that may claim more now. */
  private freePlace(flight: Flight): void {
    const { runtime, load, wakeUps } = this.needs;
    const full = ALL_QUEUES.filter((queue) => !this.canClaim(flight, queue));
    load.ended(flight);
    this.launchOf(flight.merchant);
    // A place among the slow ones may be what any endpoint waits for.
    if (load.hasOutgrown(flight, runtime.clock.wall())) return wakeAll(wakeUps);
    for (const queue of full) if (this.canClaim(flight, queue)) wakeUps[queue].wake();
  }

  private canClaim({ endpoint_id, merchant }: Flight, queue: Queue): boolean {
    const { runtime, load, ahead } = this.needs;
    if (load.roomOfMerchant(merchant) <= 0 || ahead.roomOfMerchant(merchant) <= 0) return false;
    if (ahead.roomOf(endpoint_id, queue) > 0) return true;
    return load.roomOf(endpoint_id) > 0 && load.placesOf(queue, runtime.clock.wall()) > 0;
  }
}
