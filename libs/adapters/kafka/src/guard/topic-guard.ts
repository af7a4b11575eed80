import { Unavailable, type EventStore, type Located, type Log, type Position } from '@tender/eventing';
import type { Clock } from '@tender/kernel';
import { landmarkOf, readRecord, type Landmark } from '../records/cloud-event';
import { isInLog, RestoredLog, WAY_OUT } from './restored-log';
import type { TopicRecords } from './topic-end';

export interface TopicGuardOptions {
  readonly topic: string;
  /** As the log line names it. */
  readonly name: string;
  /** The newest records of each partition. Throws `Unavailable`. */
  readEnd(): Promise<TopicRecords>;
  readonly eventStore: Pick<EventStore, 'isBefore' | 'load' | 'newest'>;
  readonly clock: Pick<Clock, 'wall'>;
  readonly log: Log;
}

/** What a topic says of the log that it was filled from. */
interface TopicEnd {
  /** Consumers drop what is not past it. */
  readonly reached: Position | null;
  /** Null where no record names one. */
  readonly newest: Landmark | null;
  /** Up to here the topic says that no event is later than `newest`; null where it does not say. */
  readonly told: Position | null;
}

const PAUSE_MIN_MS = 1_000;
const PAUSE_MAX_MS = 30_000;

/**
 * Stands before a topic until it is known that its records are of this log, and not of what a log that was set
 * back to an older copy had held: new events get the positions of those that are gone. Looks once; after a
 * refusal again and again, until an operator has deleted the topic.
 */
export class TopicGuard {
  private end: TopicEnd | null = null;
  private looking: Promise<TopicEnd> | null = null;
  private from_start = false;
  private last: Landmark | null | undefined;
  private unread = false;
  private refusal: RestoredLog | null = null;
  private look_again_ms = 0;
  private pause_ms = PAUSE_MIN_MS;

  constructor(private readonly options: TopicGuardOptions) {}

  /**
   * No event that is in the topic, or may be, is later; null: it has had none. Undefined while that is not
   * known: the records that would tell may be gone, or of a release that did not say it.
   */
  get newest(): Landmark | null | undefined {
    return this.last;
  }

  /** All events past it will be asked about, in log order; null: all of the log. */
  startsBehind(position: Position | null): void {
    this.from_start = position === null;
  }

  /**
   * Resolves when these may be written, in log order behind all before. Throws `RestoredLog` when they must not,
   * and `Unavailable` when that is not known.
   */
  async admit(events: readonly Located[]): Promise<void> {
    this.throwRefusal();
    const end = this.end ?? (await this.look());
    // Another batch that waited for the same look may have been refused.
    this.throwRefusal();
    this.end = end;
    const lost = events.find(({ position }) => this.isBetween(position, end));
    if (lost) throw this.refuse(end, { event: landmarkOf(lost) });
    this.refusal = null;
    this.pause_ms = PAUSE_MIN_MS;
    const last = events.at(-1);
    if (last && !this.isPast(this.last?.position, last.position)) this.last = landmarkOf(last);
  }

  private throwRefusal(): void {
    if (this.refusal && this.options.clock.wall() < this.look_again_ms) throw this.refusal;
  }

  /** One look for all that ask meanwhile. */
  private look(): Promise<TopicEnd> {
    this.looking ??= this.lookNow().finally(() => {
      this.looking = null;
    });
    return this.looking;
  }

  private async lookNow(): Promise<TopicEnd> {
    const { readEnd, eventStore } = this.options;
    const { records, whole } = await readEnd();
    // A broker that was slow once has another try; what cannot be read must not hold the relay up for ever.
    const again = !whole && !this.unread;
    this.unread = again;
    if (again) throw new Unavailable('kafka', { reason: 'the newest records were not read' });
    const end = this.endOf(records);
    const log_end = await eventStore.newest();
    const is_ahead =
      end.reached !== null && (log_end === null || eventStore.isBefore(log_end, end.reached));
    if (is_ahead) throw this.refuse(end, { log_end });
    if (end.newest && !(await isInLog(eventStore, end.newest))) throw this.refuse(end, { log_end });
    this.last = this.from_start || (whole && this.tellsAll(end)) ? end.newest : undefined;
    return end;
  }

  private endOf(records: TopicRecords['records']): TopicEnd {
    let reached: Position | null = null;
    let newest: Landmark | null = null;
    let told: Position | null = null;
    for (const { value, partition } of records) {
      const read = readRecord(value, partition, () => true);
      if (read.kind !== 'event' && read.kind !== 'progress') continue;
      const event = read.kind === 'event' ? landmarkOf(read.located) : read.newest;
      const position = read.kind === 'event' ? read.located.position : read.position;
      if (!this.isPast(reached, position)) reached = position;
      if (event && !this.isPast(newest?.position, event.position)) newest = event;
      if (event !== undefined && !this.isPast(told, position)) told = position;
    }
    // Progress may name the newest event before it was written.
    if (newest && !this.isPast(reached, newest.position)) reached = newest.position;
    if (newest && !this.isPast(told, newest.position)) told = newest.position;
    return { reached, newest, told };
  }

  /** False where it tells of progress without saying of which event. */
  private tellsAll({ reached, told }: TopicEnd): boolean {
    return told !== null && !this.isPast(reached, told);
  }

  /** Not in the topic though it ought to be: everything up to `told` was written. */
  private isBetween(position: Position, { told, newest }: TopicEnd): boolean {
    if (told === null || this.options.eventStore.isBefore(told, position)) return false;
    return newest === null || this.options.eventStore.isBefore(newest.position, position);
  }

  private isPast(reached: Position | undefined | null, position: Position): boolean {
    return !!reached && this.options.eventStore.isBefore(position, reached);
  }

  private refuse(end: TopicEnd, found: object): RestoredLog {
    const { topic, name, clock, log } = this.options;
    const why =
      `${topic} holds what the log does not: an older log was restored. Nothing is written there, as consumers ` +
      `would drop new events as repeats. ${WAY_OUT}`;
    this.end = null;
    this.look_again_ms = clock.wall() + this.pause_ms;
    log.error({ follower: name, topic, ...end, ...found, look_again_ms: this.pause_ms }, why);
    this.pause_ms = Math.min(this.pause_ms * 2, PAUSE_MAX_MS);
    return (this.refusal = new RestoredLog(why));
  }
}
