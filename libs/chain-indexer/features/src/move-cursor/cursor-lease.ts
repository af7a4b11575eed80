import type { Runtime, Sql } from '@tender/eventing';
import { invariant, type Mode } from '@tender/kernel';
import {
  LeaseLost,
  moveCursor,
  releaseLease,
  takeLease,
  type Cursor,
  type PlacedCursor,
} from './cursor.record';

/** Half of the lease: a renewal may be lost. A chain at rest moves its cursor as often, and needs none beside that. */
const RENEW_MS = 2_000;

type Ports = Pick<Runtime, 'readModels' | 'clock' | 'log'>;

/** A network's cursor, as the process that holds its lease moves it. */
export class CursorLease {
  private current: PlacedCursor | null = null;
  /** The slot of the last cursor that this process is known to have written. */
  private left_slot: number | null = null;
  private renewed_wall_ms = 0;

  constructor(
    private readonly ports: Ports,
    private readonly mode: Mode,
    private readonly owner: string,
  ) {}

  /** Null while this process does not follow the network. */
  get cursor(): PlacedCursor | null {
    return this.current;
  }

  /**
   * Takes the lease and, now that no other process writes the records, has them read. Answers the cursor that it
   * found, and the time before it asked. Throws `LeaseLost` while another process holds the lease.
   */
  async take(readRecords: () => Promise<void>): Promise<{ found: Cursor; asked_wall_ms: number }> {
    const asked_wall_ms = this.ports.clock.wall();
    const found = await takeLease(this.ports.readModels, this.mode, this.owner);
    if (!found) throw new LeaseLost(`another process follows ${this.mode}`);
    await readRecords();
    this.renewed_wall_ms = asked_wall_ms;
    this.warnWhenSetBack(found.slot);
    this.left_slot = found.slot;
    return { found, asked_wall_ms };
  }

  /** From now on this process moves the cursor. */
  begin(cursor: PlacedCursor): PlacedCursor {
    this.current = cursor;
    return cursor;
  }

  /** Moves the cursor in one transaction with what `write` changes in the records. */
  move<Written>(to: PlacedCursor, write: (tx: Sql) => Promise<Written>): Promise<Written> {
    const { readModels } = this.ports;
    return this.moved(to, (move) =>
      readModels.transaction(async (tx) => {
        await move(tx);
        return write(tx);
      }),
    );
  }

  /** Moves the cursor past blocks that change nothing in the records. */
  movePast(to: PlacedCursor): Promise<void> {
    return this.moved(to, (move) => move(this.ports.readModels));
  }

  private async moved<Result>(
    to: PlacedCursor,
    work: (move: (sql: Sql) => Promise<void>) => Promise<Result>,
  ): Promise<Result> {
    const from = this.current;
    invariant(from, 'a pass holds the lease');
    const moved_wall_ms = this.ports.clock.wall();
    const moved = { ...to, moved_wall_ms };
    const result = await work((sql) => moveCursor(sql, this.mode, from, moved));
    this.current = moved;
    this.left_slot = moved.slot;
    this.renewed_wall_ms = moved_wall_ms;
    return result;
  }

  /** Called often: keeps the lease while a pass is long. */
  async renew(): Promise<void> {
    const wall_ms = this.ports.clock.wall();
    if (!this.current || wall_ms - this.renewed_wall_ms < RENEW_MS) return;
    await moveCursor(this.ports.readModels, this.mode, this.current, this.current);
    this.renewed_wall_ms = wall_ms;
  }

  /** Another process has the lease, or the records have changed: what this one knew of the cursor is void. */
  forget(): void {
    this.current = null;
  }

  async release(): Promise<void> {
    const { current } = this;
    this.forget();
    if (current) await releaseLease(this.ports.readModels, this.mode, current.epoch);
  }

  private warnWhenSetBack(found: number | null): void {
    const { left_slot: left, mode } = this;
    if (left === null || (found !== null && found >= left)) return;
    this.ports.log.warn(
      { mode, left, found },
      'the database was set back: the chain is read again from the cursor that is found',
    );
  }
}
