import type { Delays, EventStore, Located, Log, Position } from '@tender/eventing';
import type { Clock } from '@tender/kernel';
import { landmarkOf, readRecord, type Landmark } from './cloud-event';
import type { KafkaConnection } from './kafka-connection';
import { isInLog, RestoredLog, WAY_OUT } from './restored-log';
import { readTopicEnd } from './topic-end';
import { ensureTopics } from './topics';

export interface TopicGuardOptions {
  readonly connection: KafkaConnection;
  readonly topic: string;
  readonly partitions: number;
  /** What is kept of this name in Kafka: groups, for as long as the topic is looked at. */
  readonly name: string;
  readonly eventStore: Pick<EventStore, 'isBefore' | 'load' | 'newest'>;
  readonly clock: Pick<Clock, 'wall'>;
  readonly delays: Delays;
  readonly log: Log;
}

/** What a topic says of the log that it was filled from. */
interface TopicEnd {
  /** Consumers drop what is not past it. */
  readonly reached: Position | null;
  /** No event of the topic is later. */
  readonly newest: Landmark | null;
}

const PAUSE_MIN_MS = 1_000;
const PAUSE_MAX_MS = 30_000;

/**
 * Stands before a topic until it is known that its records are of this log, and not of what a log that was set
 * back to an older copy had held: new events get the positions of those that are gone. Looks once; after a
 * refusal again and again, until somebody has deleted the topic.
 */
export class TopicGuard {
  private end: TopicEnd | null = null;
  private looking: Promise<TopicEnd> | null = null;
  private last: Landmark | null = null;
  private refusal: RestoredLog | null = null;
  private look_again_ms = 0;
  private pause_ms = PAUSE_MIN_MS;

  constructor(private readonly options: TopicGuardOptions) {}

  /** No event that is in the topic, or may be, is later. */
  get newest(): Landmark | null {
    return this.last;
  }

  /**
   * Resolves when these may be written, in log order behind all before. Throws `RestoredLog` when they must not,
   * and `Unavailable` when that is not known.
   */
  async admit(events: readonly Located[]): Promise<void> {
    if (this.refusal && this.options.clock.wall() < this.look_again_ms) throw this.refusal;
    const end = (this.end ??= await this.look());
    const lost = events.find(({ position }) => this.isBetween(position, end));
    if (lost) throw this.refuse(end, { event: landmarkOf(lost) });
    this.refusal = null;
    this.pause_ms = PAUSE_MIN_MS;
    const last = events.at(-1);
    if (last && !this.isPast(this.last?.position, last.position)) this.last = landmarkOf(last);
  }

  /** At once for all who ask. */
  private look(): Promise<TopicEnd> {
    this.looking ??= this.lookNow().finally(() => {
      this.looking = null;
    });
    return this.looking;
  }

  private async lookNow(): Promise<TopicEnd> {
    const { connection, topic, partitions, eventStore } = this.options;
    await ensureTopics(connection, [topic], partitions);
    const end = await this.readEnd();
    const log_end = await eventStore.newest();
    const is_ahead =
      end.reached !== null && (log_end === null || eventStore.isBefore(log_end, end.reached));
    if (is_ahead) throw this.refuse(end, { log_end });
    if (end.newest && !(await isInLog(eventStore, end.newest))) throw this.refuse(end, { log_end });
    this.last = end.newest;
    return end;
  }

  private async readEnd(): Promise<TopicEnd> {
    let reached: Position | null = null;
    let newest: Landmark | null = null;
    const records = await readTopicEnd({ ...this.options, group: this.options.name });
    for (const { value, partition } of records) {
      const read = readRecord(value, partition, () => true);
      if (read.kind !== 'event' && read.kind !== 'progress') continue;
      const event = read.kind === 'event' ? landmarkOf(read.located) : read.newest;
      const position = read.kind === 'event' ? read.located.position : read.position;
      if (!this.isPast(reached, position)) reached = position;
      if (event && !this.isPast(newest?.position, event.position)) newest = event;
    }
    // The newest event may have been told of before it was written.
    if (newest && !this.isPast(reached, newest.position)) reached = newest.position;
    return { reached, newest };
  }

  /** Not in the topic though it ought to be: everything up to `reached` was written. */
  private isBetween(position: Position, { reached, newest }: TopicEnd): boolean {
    if (reached === null || this.options.eventStore.isBefore(reached, position)) return false;
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
