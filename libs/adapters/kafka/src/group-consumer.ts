import { createHash } from 'node:crypto';
import { ParkingConsumer, type Position, type StreamMode, type Subscription } from '@tender/eventing';
import type { Batch } from 'kafkajs';
import { landmarkOf, readRecord } from './cloud-event';
import { GroupMember } from './group-member';
import { GroupOffsets } from './group-offsets';
import type { KafkaBusOptions } from './kafka-bus';
import type { KafkaConnection } from './kafka-connection';
import { laneName } from './lanes';
import { PartitionLane, type LaneRecord } from './partition-lane';
import { isInLog } from './restored-log';
import type { Topic } from './topics';

export interface GroupConsumerOptions extends KafkaBusOptions {
  readonly connection: KafkaConnection;
  readonly subscription: Subscription;
  readonly group: string;
  readonly topics: readonly Topic[];
  readonly partitions: number;
  readonly session_timeout_ms: number;
}

interface Place {
  readonly topic: string;
  readonly partition: number;
  readonly offset: string;
  readonly value: Buffer | null;
}

const IDLE_LOOK_MS = 10;
const OTHERS_LOOK_MS = 250;

/** One subscription: the member of its group, and a lane for each partition that is the member's. */
export class GroupConsumer {
  private lanes = new Map<string, PartitionLane>();
  /** By partition: when the lane that had it last has let go. */
  private readonly ending = new Map<string, Promise<void>>();
  private readonly told = new Map<StreamMode, number>();
  private readonly topics: ReadonlyMap<string, Topic>;
  private readonly types: ReadonlySet<string>;
  private readonly member: GroupMember;
  private offsets: GroupOffsets;
  private stopped = false;

  constructor(private readonly options: GroupConsumerOptions) {
    this.topics = new Map(options.topics.map((topic) => [topic.name, topic]));
    this.types = new Set(options.subscription.types);
    this.offsets = this.freshOffsets();
    this.member = new GroupMember({
      ...options,
      topics: [...this.topics.keys()],
      onAssigned: (assigned) => this.assign(assigned),
      onBatch: (batch) => this.pass(batch),
    });
  }

  start(): void {
    if (this.topics.size > 0) this.member.start();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await Promise.all([...this.lanes.values()].map((lane) => lane.close({ leaving: true })));
    await this.member.stop();
    await Promise.all(this.ending.values());
  }

  /** Everything that was in the topics at the call is handled or parked, by whichever member. */
  async idle(): Promise<void> {
    const ends = await this.insist(() => this.freshOffsets().ends());
    for (const [key, end] of ends) {
      while (!this.stopped && !(await this.isPast(key, end))) await this.wait(IDLE_LOOK_MS);
    }
  }

  private async isPast(key: string, end: bigint): Promise<boolean> {
    const lane = this.lanes.get(key);
    if (lane) return lane.next_offset !== null && lane.next_offset >= end;
    if (end === 0n) return true;
    await this.wait(OTHERS_LOOK_MS);
    const committed = await this.insist(() => this.freshOffsets().committed());
    return (committed?.get(key)?.offset ?? 0n) >= end;
  }

  /** Lanes are made anew at every change of the group: what was fetched before is fetched again. */
  private assign(assigned: Readonly<Record<string, readonly number[]>>): void {
    for (const [key, lane] of this.lanes) {
      this.ending.set(key, lane.close());
    }
    this.lanes = new Map();
    this.offsets = this.freshOffsets();
    if (this.stopped) return;
    for (const [name, partitions] of Object.entries(assigned)) {
      const topic = this.topics.get(name);
      if (!topic) continue;
      for (const partition of partitions) {
        this.member.resume(name, partition);
        this.lanes.set(keyOf(name, partition), this.laneOf(topic, partition));
      }
    }
  }

  private laneOf(topic: Topic, partition: number): PartitionLane {
    const { subscription, recordsOf, eventStore, retry_delay_ms, ...ports } = this.options;
    const { clock, log, delays } = ports;
    const { isBefore } = eventStore;
    const { member, offsets } = this;
    const key = keyOf(topic.name, partition);
    const lane = laneName(topic.context, partition);
    const name = `${subscription.consumer}:${topic.mode}:${lane}`;
    const records = recordsOf(subscription.consumer, topic.mode, lane);
    const parking = new ParkingConsumer({
      ...{ name, records, isBefore, clock, log, delays, handler: subscription.handler },
      ...(retry_delay_ms ? { retry_delay_ms } : {}),
    });
    return new PartitionLane({
      ...{ name, records, parking, isBefore, clock, log, delays },
      before: this.ending.get(key) ?? Promise.resolve(),
      start: () => offsets.startOf(key),
      isInLog: (landmark) => isInLog(eventStore, landmark),
      startAnew: () => member.startAnew(),
      confirmed: () => member.confirmed(),
      seek: (offset) => member.seek(topic.name, partition, offset),
      pause: () => member.pause(topic.name, partition),
      resume: () => member.resume(topic.name, partition),
      commit: (offset, checkpoint) =>
        member.commit(topic.name, partition, offset, checkpoint ?? ''),
      onTakeOver: () => subscription.onTakeOver?.(topic.mode),
      onProgress: () => this.tellProgress(topic.mode),
    });
  }

  private pass({ topic, partition, messages }: Batch): void {
    const lane = this.lanes.get(keyOf(topic, partition));
    if (!lane?.accepts()) return;
    lane.push(
      messages.map(({ offset, value }): LaneRecord => {
        const said = { position: null, landmark: null, located: null, progress_ms: null };
        const nothing: LaneRecord = { ...said, offset: BigInt(offset) };
        const read = readRecord(value, partition, (position) => this.isPosition(position));
        switch (read.kind) {
          case 'event': {
            const { position, message } = read.located;
            const located = this.types.has(message.type) ? read.located : null;
            return { ...nothing, position, located, landmark: landmarkOf(read.located) };
          }
          case 'progress':
            return { ...nothing, position: read.position, progress_ms: read.wall_ms };
          default:
            if (read.why) this.complain(read.why, { topic, partition, offset, value });
            return nothing;
        }
      }),
    );
  }

  /** Its content may be anybody's: it is named, not shown. It stays where it is until retention takes it. */
  private complain(why: string, at: Place): void {
    const { value, ...place } = at;
    const sha256 = createHash('sha256').update(value ?? '').digest('hex');
    this.options.log.error(
      { ...place, consumer: this.options.group, why, bytes: value?.length ?? 0, sha256 },
      'a record is passed over',
    );
  }

  private isPosition(position: Position): boolean {
    try {
      return !this.options.eventStore.isBefore(position, position);
    } catch {
      return false;
    }
  }

  /** Only where all partitions of the mode are this member's: nobody else's progress is known here. */
  private tellProgress(mode: StreamMode): void {
    let slowest = Number.POSITIVE_INFINITY;
    for (const topic of this.options.topics) {
      if (topic.mode !== mode) continue;
      for (let partition = 0; partition < this.options.partitions; partition += 1) {
        const lane = this.lanes.get(keyOf(topic.name, partition));
        slowest = Math.min(slowest, lane?.progress_ms ?? Number.NEGATIVE_INFINITY);
      }
    }
    if (slowest <= (this.told.get(mode) ?? 0)) return;
    this.told.set(mode, slowest);
    this.options.subscription.onProgress?.(mode, slowest);
  }

  private freshOffsets(): GroupOffsets {
    return new GroupOffsets(this.options.connection, this.options.group, [...this.topics.keys()]);
  }

  /** Until it works, or the consumer is stopped. */
  private async insist<Result>(ask: () => Promise<Result>): Promise<Result> {
    for (;;) {
      try {
        return await ask();
      } catch (error) {
        if (this.stopped) throw error;
        await this.wait(OTHERS_LOOK_MS);
      }
    }
  }

  private wait(delay_ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.options.delays.after(delay_ms, resolve);
    });
  }
}

const keyOf = (topic: string, partition: number): string => `${topic}/${partition}`;
