import type { LaneRecord } from './lane-records';

/** Who reads a partition. */
export interface PartitionReader {
  /** The offset that it takes next; null while it takes nothing. */
  readonly wanted: bigint | null;
  /** One record at least. */
  push(records: readonly LaneRecord[]): void;
  /** Where it is past `lost`, takes all from `first` on once more: its checkpoint tells what is a repeat. */
  takeAgain(first: bigint, lost: bigint): void;
}

/** What one fetch has brought, oldest record first. */
export interface Fetched {
  readonly first: bigint;
  /** Of the record after the last one. */
  readonly next: bigint;
  /** Of the record that the partition gets next, as the broker knows it. */
  readonly end: bigint;
  /** Parses the records; called only if a reader takes some of them. */
  read(): readonly LaneRecord[];
}

/** The fetching of one partition, as the group's member has it. */
export interface Fetching {
  /** What was fetched and not handed over yet is dropped. */
  seek(offset: bigint): void;
  pause(): void;
  resume(): void;
}

/**
 * What is fetched of one partition, once for all that read it: from the place of the one that is furthest behind among
 * those that take records. One that takes none for a while is passed by, and is gone back for when it takes some again.
 */
export class PartitionFetch {
  private readonly readers = new Set<PartitionReader>();
  /** Where the next fetch begins; null while Kafka chooses. */
  private next: bigint | null = null;
  private paused = false;
  private ended = false;

  constructor(private readonly fetching: Fetching) {
    // The client keeps a pause from one assignment to the next.
    fetching.resume();
  }

  add(reader: PartitionReader): void {
    this.readers.add(reader);
  }

  delete(reader: PartitionReader): void {
    this.readers.delete(reader);
  }

  pass({ first, next, end, read }: Fetched): void {
    if (this.ended) return;
    // What a broker has lost it gives out anew, at the same offsets. A client that stood there goes back by itself.
    const went_back = this.next !== null && first < this.next;
    for (const reader of this.readers) reader.takeAgain(first, went_back ? first : end);
    const from = went_back ? first : this.next;
    this.next = next;
    let records: readonly LaneRecord[] | null = null;
    for (const reader of this.readers) {
      const { wanted } = reader;
      if (from === null || wanted === null || wanted < from) continue;
      records ??= read();
      const fresh = records.filter(({ offset }) => offset >= wanted);
      if (fresh.length > 0) reader.push(fresh);
    }
    this.settle();
  }

  /** Another one follows: the partition is no more this one's to seek or pause. */
  end(): void {
    this.ended = true;
  }

  /** A reader takes records again, or wants others than before. */
  settle(): void {
    if (this.ended) return;
    const wanted = this.leastWanted();
    if ((wanted === null) !== this.paused) {
      this.paused = wanted === null;
      if (this.paused) this.fetching.pause();
      else this.fetching.resume();
    }
    if (wanted === null || wanted === this.next) return;
    this.next = wanted;
    this.fetching.seek(wanted);
  }

  private leastWanted(): bigint | null {
    let least: bigint | null = null;
    for (const { wanted } of this.readers) {
      if (wanted !== null && (least === null || wanted < least)) least = wanted;
    }
    return least;
  }
}
