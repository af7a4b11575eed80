import { setTimeout as sleep } from 'node:timers/promises';
import type { DueRow, Runtime, Timer, Worker } from '@tender/eventing';
import { isoTime, timeOf } from '@tender/kernel';

/** Due rows are looked for at least this often, so that new ones and a moved clock are noticed. */
const LOOK_MS_MAX = 1_000;
const BATCH_MAX = 100;
/** The row shows what its command did well before; a view that is far behind is looked at again. */
const SHOWN_MS_MAX = 10_000;
const AFTER_FAILURE_MS = 500;
/** A row that its own command does not move is tried again after this. */
const STUCK_MS = 60_000;

type Needs = Pick<Runtime, 'eventStore' | 'readModels' | 'clock' | 'random' | 'log'>;

/**
 * Runs the commands of one timer as they fall due. Rows are claimed by their locks, so each is run by one of several
 * processes; a row that is run again all the same, because its process died before the row moved on, is the same
 * command, which the log holds already.
 */
export class DueTimer implements Worker {
  readonly name: string;
  private stopping = new AbortController();
  private resting: AbortController | null = null;
  private running: Promise<void> | null = null;
  /** Wall time (ms) until which a row that did not move is left alone, by `keyOf`. */
  private readonly stuck = new Map<string, number>();

  constructor(
    private readonly runtime: Needs,
    private readonly timer: Timer,
  ) {
    this.name = timer.name;
  }

  async start(): Promise<void> {
    if (this.running) return;
    this.stopping = new AbortController();
    this.running = this.loop();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
    this.running = null;
  }

  /** Rows that are stuck are none: a test clock does not wait for them. */
  async nextDue(): Promise<number | null> {
    const { table } = this.timer.view;
    const [row] = await this.runtime.readModels.query<{ due_at: string | null }>(
      `select min(${this.timer.at}) as due_at from ${table} where ${this.isFree(1)}`,
      [this.stuckNow()],
    );
    return row?.due_at == null ? null : timeOf(row.due_at);
  }

  async idle(): Promise<void> {
    while (this.running && !this.stopping.signal.aborted) {
      const due_ms = await this.nextDue();
      if (this.resting && (due_ms === null || due_ms > this.runtime.clock.now())) return;
      this.resting?.abort();
      await sleep(10);
    }
  }

  private async loop(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      try {
        if ((await this.look()) === 0) await this.rest(await this.untilDue());
      } catch (error) {
        this.runtime.log.warn({ err: error, timer: this.name }, 'a timer could not look at its rows');
        await this.rest(AFTER_FAILURE_MS);
      }
    }
  }

  /** Runs what is due, and waits until the rows show it. Answers how many rows there were. */
  private async look(): Promise<number> {
    const rows = await this.runtime.readModels.transaction(async (tx) => {
      const { view, at } = this.timer;
      const claimed = await tx.query<DueRow>(
        `select id, mode, state, ${at} as due_at from ${view.table}
          where ${at} <= $1 and ${this.isFree(2)} order by ${at}, id limit ${BATCH_MAX}
          for update skip locked`,
        [isoTime(this.runtime.clock.now()), this.stuckNow()],
      );
      await Promise.all(claimed.map((row) => this.run(row)));
      return claimed;
    });
    if (rows.length > 0) await this.untilMoved(rows);
    return rows.length;
  }

  private async run(row: DueRow): Promise<void> {
    try {
      await this.timer.run(this.runtime, row);
    } catch (error) {
      const { id, due_at } = row;
      this.runtime.log.error({ err: error, timer: this.name, id, due_at }, 'what was due failed');
      this.leaveAlone(row);
    }
  }

  /** A row that still says the same once the view is up to date is moved by nothing: it is left alone for a while. */
  private async untilMoved(rows: readonly DueRow[]): Promise<void> {
    const { eventStore, readModels, log } = this.runtime;
    const { view, at } = this.timer;
    const newest = await eventStore.newest();
    if (newest === null) return;
    const shown = await Promise.all(
      [...new Set(rows.map(({ mode }) => mode))].map((mode) =>
        readModels.waitFor(view.schema, view.follower(mode), newest, SHOWN_MS_MAX),
      ),
    );
    if (!shown.every(Boolean)) return;
    const left = await readModels.query<DueRow>(
      `select id, ${at} as due_at from ${view.table} where ${keyOf(at)} = any($1)`,
      [rows.map(({ id, due_at }) => `${id}|${due_at}`)],
    );
    for (const row of left) {
      const { id, due_at } = row;
      if (this.stuck.has(`${id}|${due_at}`)) continue;
      log.error({ timer: this.name, id, due_at }, 'what was due did not move its row');
      this.leaveAlone(row);
    }
  }

  private leaveAlone({ id, due_at }: Pick<DueRow, 'id' | 'due_at'>): void {
    this.stuck.set(`${id}|${due_at}`, this.runtime.clock.wall() + STUCK_MS);
  }

  private isFree(parameter: number): string {
    const { at } = this.timer;
    return `${at} is not null and ${keyOf(at)} <> all($${parameter}::text[])`;
  }

  private stuckNow(): string[] {
    const wall = this.runtime.clock.wall();
    for (const [key, until] of this.stuck) if (until <= wall) this.stuck.delete(key);
    return [...this.stuck.keys()];
  }

  private async untilDue(): Promise<number> {
    const due_ms = await this.nextDue();
    if (due_ms === null) return LOOK_MS_MAX;
    return Math.min(LOOK_MS_MAX, Math.max(0, due_ms - this.runtime.clock.now()));
  }

  private async rest(ms: number): Promise<void> {
    const resting = new AbortController();
    this.resting = resting;
    const signal = AbortSignal.any([resting.signal, this.stopping.signal]);
    await sleep(ms, undefined, { signal }).catch(() => undefined);
    this.resting = null;
  }
}

/** Tells a row at one time of its own from the same row later. */
const keyOf = (at: string): string => `id || '|' || ${at}`;
