import { setTimeout as sleep } from 'node:timers/promises';
import type { Runtime, Worker } from '@tender/eventing';
import type { MerchantInMode } from '../merchant-in-mode';
import { Flights } from './attempt/flights';
import { nextDue } from './claim/claim-deliveries';
import { ClaimedAhead } from './claim/claimed-ahead';
import { Claims } from './claim/claims';
import { EndpointLoad } from './claim/endpoint-load';
import { Leases } from './leases/leases';
import { ALL_QUEUES, QUEUES, type Queue } from './queues';
import { ResultWriter } from './record/result-writer.worker';
import { WakeUp, wakeAll, type WakeUps } from './wake-up.worker';
import { watchDue } from './watch-due';

const AFTER_FAILURE_MS = 500;
const STOP_PATIENCE_MS = 2000;

/**
 * Sends what the planner has planned; the folders are the way of a delivery. claim: each queue has a loop that
 * leases what is due. attempt: `Flights` posts it, endpoint by endpoint, within the limits of `EndpointLoad`.
 * record: `ResultWriter` writes what came of it, and queues the retry. The database sees batches only.
 */
export class WebhookSender implements Worker {
  readonly name = 'webhook-dispatcher.send-deliveries';
  private readonly load = new EndpointLoad();
  private readonly ahead = new ClaimedAhead(this.load);
  private readonly wakeUps: WakeUps = {
    [QUEUES.first]: new WakeUp(),
    [QUEUES.retry]: new WakeUp(),
  };
  private readonly leases: Leases;
  private readonly claims: Claims;
  private readonly flights: Flights;
  private readonly results: ResultWriter;
  private loops: Promise<unknown> | null = null;
  private unwatch: readonly (() => void)[] = [];
  private stopped = true;

  /** `owner` holds what this sender claims, `routes_owner` what the routes of this process attempt by hand. */
  constructor(
    private readonly runtime: Runtime,
    owner: string,
    routes_owner: string,
  ) {
    const { load, ahead, wakeUps } = this;
    this.leases = new Leases(runtime, owner, routes_owner);
    this.claims = new Claims({ runtime, load, ahead, wakeUps, leases: this.leases });
    this.results = new ResultWriter(runtime, owner, (again) => this.claims.resultsWritten(again));
    const record = this.results.add.bind(this.results);
    this.flights = new Flights({ runtime, load, ahead, wakeUps, record });
  }

  async start(): Promise<void> {
    if (!this.stopped) return;
    await this.leases.releaseOfGone();
    this.stopped = false;
    this.results.start();
    this.flights.start();
    this.unwatch = this.watched();
    this.loops = Promise.all([this.run(QUEUES.first), this.run(QUEUES.retry)]);
  }

  /** Gives attempts back that do not end soon; their receivers may hear twice. */
  async stop(): Promise<void> {
    if (this.stopped) return;
    this.stopped = true;
    this.flights.stop();
    this.wake();
    // From now on, not from the end of the loops: they may wait for the database.
    const patience = sleep(STOP_PATIENCE_MS, undefined, { ref: false });
    await this.loops;
    for (const end of this.unwatch) end();
    await Promise.race([this.flights.ended(), patience]);
    await this.results.stop();
    this.ahead.takeOlderThan(Infinity);
    await this.leases.releaseAll();
  }

  /** Looks for due deliveries at once: the business clock was moved. */
  wake(): void {
    wakeAll(this.wakeUps);
  }

  /** The planner has written deliveries. */
  planned(): void {
    this.wakeUps[QUEUES.first].wake();
  }

  /**
   * The merchant's URL and secret are others from now on. What was claimed before is claimed again; once
   * this has returned, no attempt of this process begins with what was read earlier.
   */
  endpointChanged(owner: MerchantInMode): Promise<void> {
    return this.claims.endpointChanged(owner);
  }

  nextDue(): Promise<number | null> {
    return nextDue(this.runtime.readModels, ALL_QUEUES);
  }

  async idle(): Promise<void> {
    while (!this.stopped) {
      const due = await this.nextDue();
      if (this.isIdle() && (due === null || due > this.runtime.clock.now())) return;
      this.wake();
      await sleep(10);
    }
  }

  private isIdle(): boolean {
    const { flights, claims, ahead, results } = this;
    return flights.isIdle && claims.isIdle && ahead.size === 0 && results.isIdle;
  }

  private watched(): readonly (() => void)[] {
    const { telemetry } = this.runtime;
    return [
      telemetry.watch('tender_webhook_in_flight', () =>
        Object.entries(this.load.inFlight).map(([pool, value]) => ({ value, labels: { pool } })),
      ),
      ...watchDue(this.runtime),
    ];
  }

  private async run(queue: Queue): Promise<void> {
    const wakeUp = this.wakeUps[queue];
    while (!this.stopped) {
      try {
        wakeUp.looking();
        if (queue === QUEUES.first) await this.claims.giveBackStale();
        else if (await this.leases.reap()) this.wake();
        this.flights.launchAll();
        const claimed = await this.claims.claim(queue, () => this.flights.launchAll());
        if (claimed === 0) await wakeUp.rest(this.claims.restMs(queue));
      } catch (error) {
        // Named as the column and the label of the metrics.
        const fields = { err: error, lane: queue };
        this.runtime.log.warn(fields, 'webhooks wait: the database cannot be reached');
        await sleep(AFTER_FAILURE_MS);
      }
    }
  }
}
