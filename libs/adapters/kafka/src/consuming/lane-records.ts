import { createHash } from 'node:crypto';
import type { Located, Log, Position } from '@tender/eventing';
import type { ProvableRecord } from '../guard/record-proof';
import { landmarkOf, readRecord } from '../records/cloud-event';

/** A record of a partition, as all consumers of the group take it. */
export interface LaneRecord extends ProvableRecord {
  /** Null for what is no event. */
  readonly located: Located | null;
  readonly progress_ms: number | null;
}

/** A record as Kafka has it. */
export interface FetchedRecord {
  readonly topic: string;
  readonly partition: number;
  readonly offset: string;
  readonly value: Buffer | null;
}

export interface LaneRecordsOptions {
  /** As log lines name the group. */
  readonly group: string;
  readonly isBefore: (position: Position, other: Position) => boolean;
  readonly log: Log;
}

/** Reads what Kafka hands over, once for all consumers. Never throws: what it cannot read it names in the log. */
export class LaneRecords {
  constructor(private readonly options: LaneRecordsOptions) {}

  read(record: FetchedRecord): LaneRecord {
    const { partition, offset, value } = record;
    const said = { position: null, landmark: null, located: null, progress_ms: null };
    const nothing: LaneRecord = { ...said, offset: BigInt(offset) };
    const read = readRecord(value, partition, (position) => this.isPosition(position));
    switch (read.kind) {
      case 'event': {
        const { located } = read;
        return { ...nothing, position: located.position, located, landmark: landmarkOf(located) };
      }
      case 'progress':
        return { ...nothing, position: read.position, progress_ms: read.wall_ms };
      default:
        if (read.why) this.complain(read.why, record);
        return nothing;
    }
  }

  /** A stranger may have written it: it is named, not shown. It stays where it is until retention takes it. */
  private complain(why: string, { value, ...place }: FetchedRecord): void {
    const { group: consumer, log } = this.options;
    const sha256 = createHash('sha256').update(value ?? '').digest('hex');
    const bytes = value?.length ?? 0;
    log.error({ ...place, consumer, why, bytes, sha256 }, 'a record is passed over');
  }

  private isPosition(position: Position): boolean {
    try {
      return !this.options.isBefore(position, position);
    } catch {
      return false;
    }
  }
}
