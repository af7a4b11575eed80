import type { ConsumerRecords, EventStore, Located, ParkingConsumer, Position } from '@tender/eventing';
import type { Clock } from '@tender/kernel';
import { RecordProof } from '../guard/record-proof';
import type { LaneRecord } from './lane-records';

export interface LaneHandlerOptions {
  readonly records: ConsumerRecords;
  readonly parking: ParkingConsumer;
  readonly eventStore: Pick<EventStore, 'isBefore' | 'load'>;
  readonly clock: Pick<Clock, 'wall'>;
  /** Of the events that the consumer asks for. */
  readonly types: ReadonlySet<string>;
}

const SAVE_PROGRESS_MS = 5_000;

/**
 * Hands the consumer the records that its checkpoint is not past yet, in order, and moves the checkpoint with
 * them. The checkpoint is in the database, in the transaction of the effect: it is the truth.
 */
export class LaneHandler {
  readonly proof: RecordProof;
  private handled: Position | null = null;
  private kept: Position | null = null;
  private kept_ms = 0;
  private wall_ms: number | null = null;

  constructor(private readonly options: LaneHandlerOptions) {
    this.proof = new RecordProof(options.eventStore);
  }

  /** The checkpoint as the database has it. */
  get saved(): Position | null {
    return this.kept;
  }

  /** Wall time (ms): every event of the partition that was recorded before has been handled or parked. */
  get progress_ms(): number | null {
    return this.wall_ms;
  }

  /** Takes the checkpoint over. True when it stands before where it was left: the database was set back. */
  async takeOver(): Promise<boolean> {
    const { records, clock } = this.options;
    // The partition may have been here before: its former turn can move the checkpoint no more.
    records.release();
    const was = this.kept;
    this.handled = this.kept = await records.checkpoint();
    this.kept_ms = clock.wall();
    return was !== null && (this.kept === null || this.isNew(was, this.kept));
  }

  /** Throws `RestoredLog`, `SetBack` and `Unavailable`. */
  async take(records: readonly LaneRecord[]): Promise<void> {
    const { parking, clock } = this.options;
    await this.proof.prove(records);
    const { fresh, reached, wall_ms } = this.sift(records);
    const late = clock.wall() - this.kept_ms >= SAVE_PROGRESS_MS;
    if (reached !== null && (fresh.length > 0 || (late && reached !== this.kept))) {
      await parking.handle(fresh, reached);
      this.kept = reached;
      this.kept_ms = clock.wall();
    } else if (late) {
      // Where nothing happens, nothing else would show that the database was set back.
      await parking.verify();
      this.kept_ms = clock.wall();
    }
    this.handled = reached;
    this.wall_ms = wall_ms;
    if (reached !== null) this.options.records.noteProgress(reached);
  }

  /** What of it is for the consumer, and how far log and time are behind it. */
  private sift(records: readonly LaneRecord[]) {
    let reached = this.handled;
    let { wall_ms } = this;
    const fresh: Located[] = [];
    for (const record of records) {
      const { located, progress_ms } = record;
      const position = this.proof.placeOf(record);
      // Below what came before it: a repeat, of which the relay may write any number.
      const repeated = position !== null && reached !== null && !this.isNew(position, reached);
      if (position !== null && !repeated) reached = position;
      if (located && !repeated && this.options.types.has(located.message.type)) fresh.push(located);
      if (progress_ms !== null) wall_ms = Math.max(wall_ms ?? 0, progress_ms);
    }
    return { fresh, reached, wall_ms };
  }

  /** The same position again is a repeat, too. */
  private isNew(position: Position, reached: Position): boolean {
    return this.options.eventStore.isBefore(reached, position);
  }
}
