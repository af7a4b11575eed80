import {
  isOutage,
  Rounds,
  type DueRow,
  type Position,
  type Runtime,
  type StreamMode,
  type Timer,
} from '@tender/eventing';
import { isoTime, timeOf } from '@tender/kernel';

/** Who wakes it knows what is due (`DueTimers`); it looks by itself so often. */
const REST_MS = 60_000;
const BATCH_MAX = 100;
/** The row shows what its command did well before; a view that is far behind is looked at again. */
const SHOWN_MS_MAX = 10_000;
const AFTER_FAILURE_MS = 500;
/** A row that its own command does not move is tried again after this. Wall time. */
const STUCK_MS = 60_000;

interface Stuck {
  readonly due_at: string;
  readonly until_ms: number;
}

type Needs = Pick<Runtime, 'eventStore' | 'readModels' | 'clock' | 'random' | 'log'>;

/**
 * Runs the commands of one timer as they fall due, while this process leads. A row that is run twice, because a
 * process died before the row moved on or two led for a moment, is the same command, which the log holds already.
 */
export class DueTimer {
  private readonly rounds = new Rounds(
    (signal) => this.look(signal),
    (error) => this.lookLater(error),
  );
  /** Rows that did not move: until when they are left alone, and at which time they were due. */
  private readonly stuck = new Map<string, Stuck>();

  constructor(
    private readonly runtime: Needs,
    private readonly timer: Timer,
  ) {}

  start(): void {
    this.rounds.start();
  }

  stop(): Promise<void> {
    return this.rounds.stop();
  }

  /** Some of what is due at that time (business time, ms) is undone or under way. */
  isBehind(next_due_ms: number | null, now_ms: number): boolean {
    const is_due = next_due_ms !== null && next_due_ms <= now_ms;
    return this.rounds.isRunning && (is_due || !this.rounds.isResting);
  }

  /** Something is due: it looks once what it does now is done. */
  wake(): void {
    this.rounds.wake();
  }

  /** Resolves once it is at rest again. */
  async lookAgain(): Promise<void> {
    this.wake();
    await this.rounds.rested();
  }

  /**
   * SQL for when the next row is due, and its two parameters, from this number on. A row that its own command does not
   * move is none: a test clock would wait for it for ever.
   */
  whenNext(parameter: number): { readonly text: string; readonly values: readonly string[][] } {
    const { view, at } = this.timer;
    const text = `select min(${at}) from ${view.table} where ${this.isFree(parameter)}`;
    return { text, values: this.stuckNow() };
  }

  private lookLater(error: unknown): number {
    this.runtime.log.warn({ err: error, timer: this.timer.name }, 'what is due waits');
    return AFTER_FAILURE_MS;
  }

  /** Runs what is due, and waits until the rows show it. */
  private async look(stopping: AbortSignal): Promise<number> {
    const { view, at } = this.timer;
    const rows = await this.runtime.readModels.query<DueRow>(
      `select id, mode, ${at} as due_at from ${view.table}
        where ${at} <= $3 and ${this.isFree(1)} order by ${at}, id limit ${BATCH_MAX}`,
      [...this.stuckNow(), isoTime(this.runtime.clock.now())],
    );
    if (rows.length === 0) return REST_MS;
    const reached = new Map<StreamMode, Position | null>();
    const ran = await Promise.allSettled(rows.map((row) => this.run(row, reached, stopping)));
    const failed = ran.find((one) => one.status === 'rejected');
    if (failed) throw failed.reason;
    await this.untilMoved(rows, reached, stopping);
    return rows.length < BATCH_MAX ? REST_MS : 0;
  }

  /** Rejects while the log is away: the row stays due. What its own rule refuses is left alone for a while. */
  private async run(
    row: DueRow,
    reached: Map<StreamMode, Position | null>,
    stopping: AbortSignal,
  ): Promise<void> {
    if (stopping.aborted) return;
    const { eventStore } = this.runtime;
    try {
      const position = await this.timer.run(this.runtime, row);
      const before = reached.get(row.mode) ?? null;
      const is_later = position && (before === null || eventStore.isBefore(before, position));
      reached.set(row.mode, is_later ? position : before);
    } catch (error) {
      if (isOutage(error)) throw error;
      this.leaveAlone(row, error);
    }
  }

  /** Nothing moves a row that still says the same once the view is up to date. */
  private async untilMoved(
    rows: readonly DueRow[],
    reached: ReadonlyMap<StreamMode, Position | null>,
    stopping: AbortSignal,
  ): Promise<void> {
    const { view, at } = this.timer;
    const shown = await Promise.all(
      [...reached].map(([mode, position]) => this.shows(view.follower(mode), position, stopping)),
    );
    if (!shown.every(Boolean)) return;
    const left = await this.runtime.readModels.query<DueRow>(
      `select id, mode, ${at} as due_at from ${view.table} where id = any($1)`,
      [rows.map(({ id }) => id)],
    );
    const was = new Map(rows.map(({ id, due_at }) => [id, due_at]));
    for (const row of left) {
      if (row.due_at === was.get(row.id) && !this.isStuck(row)) this.leaveAlone(row, null);
    }
  }

  /** False when the view is far behind, or this timer is to stop. */
  private async shows(
    follower: string,
    position: Position | null,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { eventStore, readModels } = this.runtime;
    const until = position ?? (await eventStore.newest());
    if (until === null) return true;
    const stopped = Promise.withResolvers<boolean>();
    const stop = (): void => stopped.resolve(false);
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    const waiting = readModels.waitFor(this.timer.view.schema, follower, until, SHOWN_MS_MAX);
    waiting.catch(() => undefined);
    return Promise.race([waiting, stopped.promise]).finally(() =>
      signal.removeEventListener('abort', stop),
    );
  }

  private leaveAlone({ id, due_at }: DueRow, err: unknown): void {
    this.runtime.log.error({ err, timer: this.timer.name, id, due_at }, 'what was due did not move its row');
    this.stuck.set(id, { due_at, until_ms: this.runtime.clock.wall() + STUCK_MS });
  }

  private isStuck({ id, due_at }: DueRow): boolean {
    return this.stuck.get(id)?.due_at === due_at;
  }

  /** Takes two parameters, those of `stuckNow`. */
  private isFree(parameter: number): string {
    const { at } = this.timer;
    const stuck = `unnest($${parameter}::text[], $${parameter + 1}::text[])`;
    return `${at} is not null and (id, ${at}) not in (select * from ${stuck})`;
  }

  private stuckNow(): string[][] {
    const wall_ms = this.runtime.clock.wall();
    for (const [id, { until_ms }] of this.stuck) if (until_ms <= wall_ms) this.stuck.delete(id);
    return [[...this.stuck.keys()], [...this.stuck.values()].map(({ due_at }) => due_at)];
  }
}

/** Business time (ms) of the next row of each that is due; null where there is none. One question for all. */
export async function nextDues(
  { readModels }: Pick<Needs, 'readModels'>,
  timers: readonly DueTimer[],
): Promise<readonly (number | null)[]> {
  if (timers.length === 0) return [];
  const asked = timers.map((timer, index) => timer.whenNext(2 * index + 1));
  const [row] = await readModels.query<{ dues: readonly (string | null)[] }>(
    `select array[${asked.map(({ text }) => `(${text})`).join(', ')}] as dues`,
    asked.flatMap(({ values }) => values),
  );
  return (row?.dues ?? []).map((due) => (due === null ? null : timeOf(due)));
}
