import { setTimeout as sleep } from 'node:timers/promises';
import type { Runtime } from '@tender/eventing';
import type { AttemptResult } from '../attempt/attempt-delivery';
import { recordResults } from './record-results';

/** Results that come within this time after a write go into the next one together… */
const GATHER_MS = 20;
/** …unless they are so many. */
const BATCH_MAX = 512;
const AFTER_FAILURE_MS = 500;
const TRIES_MAX = 20;

/**
 * Writes results behind the attempts, one batch at a time: the first at once, the next ones gathered. Where the
 * process dies before, the next sender attempts the delivery again, under the same id.
 */
export class ResultWriter {
  private results: AttemptResult[] = [];
  private unwritten = 0;
  private writing: Promise<void> | null = null;
  private stopped = false;

  constructor(
    private readonly runtime: Runtime,
    private readonly owner: string,
    /** Whether any of them is due again. */
    private readonly onWritten: (any_is_due_again: boolean) => void,
  ) {}

  get isIdle(): boolean {
    return this.unwritten === 0;
  }

  add(result: AttemptResult): void {
    this.results.push(result);
    this.unwritten += 1;
    this.writing ??= this.writeAll().finally(() => {
      this.writing = null;
    });
  }

  /** Writes what there is, and from now on tries once only. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.writing;
  }

  start(): void {
    this.stopped = false;
  }

  private async writeAll(): Promise<void> {
    while (this.results.length > 0) {
      const batch = this.results.slice(0, BATCH_MAX);
      this.results = this.results.slice(BATCH_MAX);
      await this.write(batch);
      this.unwritten -= batch.length;
      this.onWritten(batch.some(({ next_attempt_at }) => next_attempt_at !== null));
      if (this.results.length < BATCH_MAX && !this.stopped) await sleep(GATHER_MS);
    }
  }

  /** Never throws: where it cannot write, the delivery is attempted again once its lease has ended. */
  private async write(results: readonly AttemptResult[]): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await recordResults(this.runtime.readModels, this.owner, results);
      } catch (error) {
        const fields = { err: error, deliveries: results.map(({ id }) => id) };
        this.runtime.log.warn(fields, 'the results of webhook attempts could not be written');
        if (tries === TRIES_MAX || this.stopped) return;
        await sleep(AFTER_FAILURE_MS);
      }
    }
  }
}
