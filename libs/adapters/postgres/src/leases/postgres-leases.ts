import { hostname } from 'node:os';
import { randomUUID } from 'node:crypto';
import type { Delays, Lease, Leases, Led, Log } from '@tender/eventing';
import { LEASE_MS, LeaseRecords } from './lease-records';
import { realDelays } from '../connections/real-delays';

export interface PostgresLeasesOptions {
  readonly connectionString: string;
  /** Whose `leases` table it is; made with the schema by `postgresReadModels`. */
  readonly schema: string;
  readonly log: Log;
  readonly delays?: Delays;
}

const RENEW_MS = 1_000;
/** Without an answer for so long the work is stopped: a second before another process may begin. */
const GIVE_UP_MS = LEASE_MS - 1_000;
const STANDBY_MS = 500;
const AFTER_FAILURE_MS = 1_000;

/**
 * Leases in the database of the service (L6). A process that is paused for longer than its lease may
 * go on for a moment beside its heir; the epochs of the checkpoints keep what it does then from counting.
 */
export function postgresLeases(
  options: PostgresLeasesOptions,
): Leases & { close(): Promise<void> } {
  const records = new LeaseRecords(options.connectionString, options.schema, options.log);
  const owner = `pid ${process.pid} on ${hostname()} ${randomUUID()}`;
  const held = new Set<HeldLease>();
  return {
    lead(name, start) {
      const { log, delays = realDelays } = options;
      const lease = new HeldLease({ records, name, owner, start, log, delays });
      held.add(lease);
      return lease;
    },
    async close() {
      await Promise.all([...held].map((lease) => lease.stop()));
      await records.close();
    },
  };
}

interface HeldLeaseOptions {
  readonly records: LeaseRecords;
  readonly name: string;
  readonly owner: string;
  readonly start: (over: AbortSignal) => Promise<Led>;
  readonly log: Log;
  readonly delays: Delays;
}

class HeldLease implements Lease {
  private leading = false;
  private stopped = false;
  /** The work of this term could not be started, or has to begin anew. */
  private failed = false;
  private wake = (): void => undefined;
  private waiting: (() => void)[] = [];
  private readonly running: Promise<void>;

  constructor(private readonly options: HeldLeaseOptions) {
    this.running = this.run();
  }

  leads(): boolean {
    return this.leading;
  }

  renounce(): void {
    this.failed = true;
    this.wake();
  }

  whenLeading(): Promise<void> {
    if (this.leading) return Promise.resolve();
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.wake();
    await this.running;
  }

  private async run(): Promise<void> {
    const { records, name, owner, log } = this.options;
    while (!this.stopped) {
      try {
        // The lease counts from before the question: the answer may have been long on its way.
        const asked_at = performance.now();
        const epoch = await records.take(name, owner);
        if (epoch === null) await this.pause(STANDBY_MS);
        else await this.lead(epoch, asked_at);
      } catch (error) {
        log.warn({ err: error, lease: name }, 'a lease cannot be taken');
        await this.pause(AFTER_FAILURE_MS);
      }
    }
  }

  private async lead(epoch: string, taken_at: number): Promise<void> {
    const { records, name, log } = this.options;
    const term = new AbortController();
    this.failed = false;
    const work = this.startWork(term.signal);
    await this.keep(epoch, taken_at);
    this.leading = false;
    term.abort();
    // A start that is under way ends before it is stopped.
    const led = await work;
    await led?.stop().catch((error: unknown) => {
      log.error({ err: error, lease: name }, 'the work of a lease did not stop well');
    });
    // Changes nothing where another process has it by now.
    await records.release(name, epoch).catch((error: unknown) => {
      log.warn({ err: error, lease: name }, 'a lease was not given back, and ends by itself');
    });
    if (this.failed) await this.pause(AFTER_FAILURE_MS);
  }

  private async startWork(over: AbortSignal): Promise<Led | null> {
    try {
      const led = await this.options.start(over);
      if (!over.aborted) this.begin();
      return led;
    } catch (error) {
      const { log, name } = this.options;
      if (!over.aborted) log.error({ err: error, lease: name }, 'the work of a lease did not start');
      this.failed = true;
      this.wake();
      return null;
    }
  }

  private begin(): void {
    this.leading = true;
    for (const resolve of this.waiting.splice(0)) resolve();
  }

  /** Renews the lease until it is lost or no longer wanted. */
  private async keep(epoch: string, taken_at: number): Promise<void> {
    const { records, name, log } = this.options;
    let sure_until = taken_at + GIVE_UP_MS;
    for (;;) {
      if (!this.failed) await this.pause(Math.min(RENEW_MS, sure_until - performance.now()));
      if (this.stopped || this.failed) return;
      const asked_at = performance.now();
      const renewing = records.renew(name, epoch).catch((error: unknown) => {
        log.warn({ err: error, lease: name }, 'a lease was not renewed');
        return null;
      });
      const renewed = await Promise.race([renewing, this.pause(sure_until - asked_at)]);
      if (renewed === true) sure_until = asked_at + GIVE_UP_MS;
      if (renewed === false || performance.now() >= sure_until) {
        const lost_to = renewed === false ? 'another process' : 'the clock';
        log.warn({ lease: name, lost_to }, 'a lease is lost: its work is stopped');
        return;
      }
    }
  }

  /** `stop` cuts it short. */
  private async pause(delay_ms: number): Promise<void> {
    if (this.stopped || delay_ms <= 0) return;
    await new Promise<void>((resolve) => {
      const cancel = this.options.delays.after(delay_ms, resolve);
      this.wake = () => {
        cancel();
        resolve();
      };
    });
  }
}
