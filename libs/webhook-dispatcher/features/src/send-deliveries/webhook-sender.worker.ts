import { setTimeout as sleep } from 'node:timers/promises';
import type { Runtime, Worker } from '@tender/eventing';
import { attemptDelivery, type AttemptResult } from './attempt-delivery';
import { claimDeliveries, type ClaimedDelivery } from './claim-deliveries';
import { EndpointLoad, LANES, type Flight, type Lane } from './endpoint-load';
import { isGone, newLeaseOwner } from './lease-owner';
import { recordResults } from './record-results';
import { leaseOwners, releaseExpired, releaseOwned } from './release-leases';
import { Rouser } from './rouser.worker';

const REAP_EVERY_MS = 5000;
const AFTER_FAILURE_MS = 500;
const STOP_PATIENCE_MS = 2000;
const WRITE_TRIES_MAX = 20;

/**
 * Sends what is due: first attempts and retries on lanes of their own, endpoint by endpoint, within the
 * limits of `EndpointLoad`. Claims and results go to the database in batches.
 */
export class WebhookSender implements Worker {
  readonly name = 'webhook-dispatcher.send-deliveries';
  /** Whose leases these are; manual retries and test events are sent under the same name. */
  readonly owner: string;
  private readonly load = new EndpointLoad();
  private readonly rousers: Readonly<Record<Lane, Rouser>> = { 0: new Rouser(), 1: new Rouser() };
  private readonly flights = new Set<Promise<void>>();
  private readonly blocked = new Set<string>();
  private readonly ended: AttemptResult[] = [];
  private flushing: Promise<void> | null = null;
  private loops: Promise<unknown> | null = null;
  private claiming = 0;
  private landings = 0;
  private stopped = true;
  private reaped_at = 0;

  constructor(private readonly runtime: Runtime) {
    this.owner = newLeaseOwner(runtime.random.uuid());
  }

  async start(): Promise<void> {
    if (!this.stopped) return;
    const { readModels } = this.runtime;
    const owners = await leaseOwners(readModels);
    await releaseOwned(
      readModels,
      owners.filter((owner) => isGone(owner, this.owner)),
    );
    this.stopped = false;
    this.loops = Promise.all([this.run(LANES.first), this.run(LANES.retry)]);
  }

  /** Attempts that do not end soon are given back; their receivers may hear twice. */
  async stop(): Promise<void> {
    if (this.stopped) return;
    this.stopped = true;
    this.wake();
    await this.loops;
    const patience = sleep(STOP_PATIENCE_MS, undefined, { ref: false });
    await Promise.race([Promise.all(this.flights), patience]);
    await this.flushing;
    await releaseOwned(this.runtime.readModels, [this.owner]);
  }

  /** Looks for due deliveries at once: the business clock was moved. */
  wake(): void {
    for (const rouser of Object.values(this.rousers)) rouser.rouse();
  }

  /** Deliveries are in a transaction that is about to commit. */
  expectPlanned(): void {
    this.rousers[LANES.first].expect();
  }

  async nextDue(): Promise<number | null> {
    const [row] = await this.runtime.readModels.query<{ due: number | null }>(
      'select min(due_at)::float8 as due from webhook_dispatcher.endpoint_queue where due_at is not null',
    );
    return row?.due ?? null;
  }

  async idle(): Promise<void> {
    while (!this.stopped) {
      const due = await this.nextDue();
      const resting = this.flights.size === 0 && this.claiming === 0;
      if (resting && (due === null || due > this.runtime.clock.now())) return;
      this.wake();
      await sleep(10);
    }
  }

  private async run(lane: Lane): Promise<void> {
    const rouser = this.rousers[lane];
    while (!this.stopped) {
      try {
        rouser.looking();
        if (lane === LANES.retry) await this.reap();
        const claimed = await this.claim(lane);
        if (claimed === 0) await rouser.rest();
      } catch (error) {
        this.runtime.log.warn({ err: error, lane }, 'webhooks wait: the database cannot be reached');
        await sleep(AFTER_FAILURE_MS);
      }
    }
  }

  private async claim(lane: Lane): Promise<number> {
    const { readModels, clock } = this.runtime;
    this.claiming += 1;
    const landed_before = this.landings;
    try {
      const { deliveries, blocked } = await claimDeliveries(readModels, {
        lane,
        now: clock.now(),
        wall: clock.wall(),
        owner: this.owner,
        load: this.load,
        blocked: this.blocked,
      });
      // What landed meanwhile may have been what they wait for: they are looked at again.
      if (this.landings === landed_before) for (const id of blocked) this.blocked.add(id);
      for (const claimed of deliveries) this.launch(claimed, lane);
      return deliveries.length;
    } finally {
      this.claiming -= 1;
    }
  }

  private launch(claimed: ClaimedDelivery, lane: Lane): void {
    const { endpoint_id, mode, merchant_id } = claimed;
    const merchant = `${mode}:${merchant_id}`;
    const flight = { endpoint_id, merchant, lane, started_at: this.runtime.clock.wall() };
    this.load.started(flight);
    const flown = this.fly(claimed, flight).finally(() => {
      this.flights.delete(flown);
      this.landed(flight);
    });
    this.flights.add(flown);
  }

  private landed(flight: Flight): void {
    const { load } = this;
    const was_full =
      load.roomOf(flight.endpoint_id) <= 0 || load.roomOfMerchant(flight.merchant) <= 0;
    load.ended(flight);
    this.landings += 1;
    this.blocked.clear();
    if (was_full) this.wake();
    else this.rousers[flight.lane].rouse();
  }

  private async fly(claimed: ClaimedDelivery, flight: Flight): Promise<void> {
    try {
      const result = await attemptDelivery(this.runtime, claimed);
      const { attempt } = result;
      if (attempt) {
        const timed_out = attempt.outcome === 'timed_out';
        this.load.noteAnswer(flight.endpoint_id, attempt.duration_ms, timed_out);
      }
      this.ended.push(result);
      await this.flush();
    } catch (error) {
      // Not the receiver's fault. The lease ends by itself, and the delivery is attempted again.
      this.runtime.log.error({ err: error, delivery: claimed.id }, 'a webhook attempt broke off');
    }
  }

  /** One write at a time; what ends meanwhile goes into the next one. */
  private async flush(): Promise<void> {
    while (this.flushing) await this.flushing;
    if (this.ended.length === 0) return;
    this.flushing = this.write(this.ended.splice(0)).finally(() => {
      this.flushing = null;
    });
    await this.flushing;
  }

  /** Never throws: what cannot be written is attempted again once its lease has ended. */
  private async write(results: readonly AttemptResult[]): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await recordResults(this.runtime.readModels, this.owner, results);
      } catch (error) {
        const fields = { err: error, deliveries: results.map(({ id }) => id) };
        this.runtime.log.warn(fields, 'the results of webhook attempts could not be written');
        if (tries === WRITE_TRIES_MAX || this.stopped) return;
        await sleep(AFTER_FAILURE_MS);
      }
    }
  }

  private async reap(): Promise<void> {
    const wall = this.runtime.clock.wall();
    if (wall - this.reaped_at < REAP_EVERY_MS) return;
    this.reaped_at = wall;
    this.blocked.clear();
    await releaseExpired(this.runtime.readModels, wall);
  }
}
