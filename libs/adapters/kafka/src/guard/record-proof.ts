import type { EventStore, Position } from '@tender/eventing';
import type { Landmark } from '../records/cloud-event';
import { isInLog, RestoredLog, WAY_OUT } from './restored-log';

/** A record, as far as it says of which log it is. */
export interface ProvableRecord {
  readonly offset: bigint;
  /** Null for what says nothing of the log, such as rubbish. */
  readonly position: Position | null;
  /** Of every event, wanted or not. */
  readonly landmark: Landmark | null;
}

/**
 * Keeps a consumer from records of a log that was set back to an older copy: the positions that they name are
 * those of other events now. Only records that were there before the consumer may be such.
 */
export class RecordProof {
  /** What comes before was written for the log as it was then. */
  private proven_from = 0n;

  constructor(private readonly eventStore: Pick<EventStore, 'isBefore' | 'load'>) {}

  /** `end`: the offset of the next record that the relay will write. */
  begin(end: bigint): void {
    this.proven_from = end;
  }

  /** Throws `RestoredLog` and `Unavailable`. The latest event of a log proves all before it. */
  async prove(records: readonly ProvableRecord[]): Promise<void> {
    const { eventStore } = this;
    let latest: Landmark | null = null;
    for (const { offset, landmark } of records) {
      if (offset >= this.proven_from || !landmark) continue;
      if (!latest || eventStore.isBefore(latest.position, landmark.position)) latest = landmark;
    }
    if (latest === null || (await isInLog(eventStore, latest))) return;
    const { stream, position } = latest;
    throw new RestoredLog(`${stream} has no such event at ${position}: an older log was restored. ${WAY_OUT}`);
  }

  /** Progress of such a log proves nothing: what is not past it may be an event of today. */
  placeOf({ offset, position, landmark }: ProvableRecord): Position | null {
    return landmark || offset >= this.proven_from ? position : null;
  }
}
