import { setTimeout as sleep } from 'node:timers/promises';
import type { Runtime, Worker } from '@tender/eventing';
import { attemptDelivery } from './attempt-delivery';
import { BLOCKED_MS, BlockedEndpoints } from './blocked-endpoints';
import { claimDeliveries, type ClaimedDelivery } from './claim-deliveries';
import { ClaimedAhead, merchantOf, type MerchantOfMode } from './claimed-ahead';
import { EndpointLoad, LANES, type Flight, type Lane } from './endpoint-load';
import { isGone } from './delivery-owner';
import { dueDeliveries } from './due-deliveries';
import { leaseOwners, releaseExpired, releaseOwned, releaseUnattempted } from './release-leases';
import { ResultWriter } from './result-writer.worker';
import { Rouser } from './rouser.worker';

const REAP_EVERY_MS = 5000;
const AFTER_FAILURE_MS = 500;
const STOP_PATIENCE_MS = 2000;
/** What waits longer for a place is given back. Wall time. */
const WAIT_MAX_MS = 1000;

/**
 * Sends what is due: first attempts and retries on lanes of their own, endpoint by endpoint, within the
 * limits of `EndpointLoad`. Claims and results go to the database in batches.
 */
export class WebhookSender implements Worker {
  readonly name = 'webhook-dispatcher.send-deliveries';
  private readonly load = new EndpointLoad();
  private readonly ahead = new ClaimedAhead(this.load);
  private readonly rousers: Readonly<Record<Lane, Rouser>> = { 0: new Rouser(), 1: new Rouser() };
  private readonly flights = new Set<Promise<void>>();
  private readonly blocked: Readonly<Record<Lane, BlockedEndpoints>> = {
    0: new BlockedEndpoints(),
    1: new BlockedEndpoints(),
  };
  private readonly results: ResultWriter;
  private loops: Promise<unknown> | null = null;
  private unwatch: readonly (() => void)[] = [];
  /** For each claim under way the merchants whose endpoint has changed since it began. */
  private readonly claims = new Set<Set<string>>();
  private writes = 0;
  private stopped = true;
  private reaped_at = 0;

  /** `owner`: whose leases these are; `routes_owner`: who attempts by hand in this process. */
  constructor(
    private readonly runtime: Runtime,
    private readonly owner: string,
    private readonly routes_owner: string,
  ) {
    this.results = new ResultWriter(runtime, owner, () => this.written());
  }

  async start(): Promise<void> {
    if (!this.stopped) return;
    const { readModels } = this.runtime;
    const owners = await leaseOwners(readModels);
    await releaseOwned(
      readModels,
      owners.filter((owner) => isGone(owner, [this.owner, this.routes_owner])),
    );
    this.stopped = false;
    this.results.start();
    this.unwatch = this.watched();
    this.loops = Promise.all([this.run(LANES.first), this.run(LANES.retry)]);
  }

  /** Attempts that do not end soon are given back; their receivers may hear twice. */
  async stop(): Promise<void> {
    if (this.stopped) return;
    this.stopped = true;
    this.wake();
    // From now on, not from the end of the loops: they may wait for the database.
    const patience = sleep(STOP_PATIENCE_MS, undefined, { ref: false });
    await this.loops;
    for (const end of this.unwatch) end();
    await Promise.race([Promise.all(this.flights), patience]);
    await this.results.stop();
    this.ahead.takeOlderThan(Infinity);
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

  /**
   * The merchant's URL and secret are others from now on. What was claimed before is claimed again; once
   * this has returned, no attempt of this process begins with what was read earlier.
   */
  async endpointChanged(owner: MerchantOfMode): Promise<void> {
    const merchant = merchantOf(owner);
    for (const changed of this.claims) changed.add(merchant);
    await this.giveBack(this.ahead.takeOf(merchant).map(({ claimed }) => claimed));
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
      if (this.isResting() && (due === null || due > this.runtime.clock.now())) return;
      this.wake();
      await sleep(10);
    }
  }

  private watched(): readonly (() => void)[] {
    const { telemetry } = this.runtime;
    return [
      telemetry.watch('tender_webhook_in_flight', () =>
        Object.entries(this.load.inFlight).map(([pool, value]) => ({ value, labels: { pool } })),
      ),
      ...dueDeliveries(this.runtime),
    ];
  }

  private isResting(): boolean {
    const { flights, claims, ahead, results } = this;
    return flights.size === 0 && claims.size === 0 && ahead.size === 0 && results.isIdle;
  }

  private async run(lane: Lane): Promise<void> {
    const rouser = this.rousers[lane];
    while (!this.stopped) {
      try {
        rouser.looking();
        if (lane === LANES.retry) await this.reap();
        else await this.giveBackStale();
        this.launchAll();
        const claimed = await this.claim(lane);
        if (claimed === 0) await rouser.rest(this.blocked[lane].size > 0 ? BLOCKED_MS : Infinity);
      } catch (error) {
        this.runtime.log.warn({ err: error, lane }, 'webhooks wait: the database cannot be reached');
        await sleep(AFTER_FAILURE_MS);
      }
    }
  }

  private async claim(lane: Lane): Promise<number> {
    const { readModels, clock } = this.runtime;
    const { load, ahead, owner } = this;
    const changed = new Set<string>();
    this.claims.add(changed);
    const written_before = this.writes;
    try {
      const wall = clock.wall();
      const { deliveries, blocked } = await claimDeliveries(readModels, {
        ...{ lane, now: clock.now(), wall, owner, load, ahead },
        blocked: this.blocked[lane].at(wall),
      });
      // What was written meanwhile may have been what they wait for: they are looked at again.
      if (this.writes === written_before) this.blocked[lane].add(blocked, wall);
      else if (blocked.length > 0) this.rousers[lane].rouse();
      const outdated = deliveries.filter((claimed) => changed.has(merchantOf(claimed)));
      for (const claimed of deliveries) {
        if (!changed.has(merchantOf(claimed))) ahead.add({ claimed, lane, claimed_at: wall });
      }
      this.launchAll();
      await this.giveBack(outdated);
      return deliveries.length;
    } finally {
      this.claims.delete(changed);
    }
  }

  private launchAll(): void {
    for (const merchant of this.ahead.merchants) this.launchOf(merchant);
  }

  private launchOf(merchant: string): void {
    while (!this.stopped) {
      const wall = this.runtime.clock.wall();
      const waiting = this.ahead.next(merchant, wall);
      if (!waiting) return;
      const { claimed, lane } = waiting;
      const { endpoint_id } = claimed;
      this.launch(claimed, { endpoint_id, merchant, lane, started_at: wall });
    }
  }

  private launch(claimed: ClaimedDelivery, flight: Flight): void {
    this.load.started(flight);
    const flown = this.fly(claimed, flight).finally(() => {
      this.flights.delete(flown);
      this.landed(flight);
    });
    this.flights.add(flown);
  }

  private landed(flight: Flight): void {
    const lanes = Object.values(LANES);
    const full = lanes.filter((lane) => !this.canClaim(flight, lane));
    this.load.ended(flight);
    this.launchOf(flight.merchant);
    // A place among the slow ones may be what any endpoint waits for.
    if (this.load.hasOutgrown(flight, this.runtime.clock.wall())) return this.wake();
    for (const lane of full) if (this.canClaim(flight, lane)) this.rousers[lane].rouse();
  }

  private canClaim({ endpoint_id, merchant }: Flight, lane: Lane): boolean {
    const { load, ahead } = this;
    if (load.roomOfMerchant(merchant) <= 0 || ahead.roomOfMerchant(merchant) <= 0) return false;
    if (ahead.roomOf(endpoint_id, lane) > 0) return true;
    return load.roomOf(endpoint_id) > 0 && load.placesIn(lane, this.runtime.clock.wall()) > 0;
  }

  private async fly(claimed: ClaimedDelivery, flight: Flight): Promise<void> {
    try {
      const result = await attemptDelivery(this.runtime, claimed);
      const { attempt } = result;
      if (attempt) {
        const timed_out = attempt.outcome === 'timed_out';
        this.load.noteAnswer(flight.endpoint_id, attempt.duration_ms, timed_out);
      }
      this.results.add(result);
    } catch (error) {
      // Not the receiver's fault. The lease ends by itself, and the delivery is attempted again.
      const { id: delivery, correlation_id } = claimed;
      this.runtime.log.error({ err: error, delivery, correlation_id }, 'a webhook attempt broke off');
    }
  }

  private written(): void {
    this.writes += 1;
    for (const lane of Object.values(LANES)) {
      if (this.blocked[lane].size === 0) continue;
      this.blocked[lane].clear();
      this.rousers[lane].rouse();
    }
  }

  /** Its lease and the secrets it is signed with must be fresh when a delivery is attempted. */
  private async giveBackStale(): Promise<void> {
    const stale = this.ahead.takeOlderThan(this.runtime.clock.wall() - WAIT_MAX_MS);
    await this.giveBack(stale.map(({ claimed }) => claimed));
  }

  private async giveBack(claimed: readonly ClaimedDelivery[]): Promise<void> {
    if (claimed.length === 0) return;
    const ids = claimed.map(({ id }) => id);
    await releaseUnattempted(this.runtime.readModels, this.owner, ids);
    this.wake();
  }

  private async reap(): Promise<void> {
    const wall = this.runtime.clock.wall();
    if (wall - this.reaped_at < REAP_EVERY_MS) return;
    this.reaped_at = wall;
    await releaseExpired(this.runtime.readModels, wall);
  }
}
