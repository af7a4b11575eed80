import {
  ParkingConsumer,
  soonestOf,
  type ConsumerRecords,
  type Delays,
  type EventStore,
  type Log,
  type StreamMode,
  type Subscription,
} from '@tender/eventing';
import type { Clock } from '@tender/kernel';
import type { Batch } from 'kafkajs';
import type { KafkaConnection } from '../connection/kafka-connection';
import { laneName } from '../topics/lanes';
import type { Topic } from '../topics/topics';
import { GroupMember } from './group-member';
import { GroupOffsets } from './group-offsets';
import { LaneRecords } from './lane-records';
import { PartitionLane } from './partition-lane';
import { ProgressAsking } from './progress-asking';

/** What a consumer needs from the process that it runs in. */
export interface ConsumingPorts {
  /** Where a consumer keeps its checkpoint and parked messages: per mode and lane, `<context>/<partition>`. */
  readonly recordsOf: (consumer: string, mode: StreamMode, lane: string) => ConsumerRecords;
  /** The log that the relays follow. */
  readonly eventStore: Pick<EventStore, 'isBefore' | 'load'>;
  readonly clock: Clock;
  /**
   * Has the relay of that context tell of progress as soon as it has come to that wall time (ms). Asked again while
   * nothing is heard; may throw.
   */
  readonly askProgress: (context: string, mode: StreamMode, until_ms: number) => Promise<void>;
  /** Wait before a parked message is tried again, by its tries so far; for tests. */
  readonly retry_delay_ms?: (tries: number) => number;
}

export interface GroupConsumerOptions extends ConsumingPorts {
  readonly delays: Delays;
  readonly log: Log;
  readonly connection: KafkaConnection;
  readonly subscription: Subscription;
  readonly group: string;
  readonly topics: readonly Topic[];
  readonly partitions: number;
  readonly session_timeout_ms: number;
}

const IDLE_LOOK_MS = 10;
const OTHERS_LOOK_MS = 250;

/** One subscription: the member of its group, and a lane for each partition that is the member's. */
export class GroupConsumer {
  private lanes = new Map<string, PartitionLane>();
  /** By partition: when the lane that had it last has let go. */
  private readonly ending = new Map<string, Promise<void>>();
  /** The progress that the subscription has heard of. */
  private readonly progress = new Map<StreamMode, number>();
  private readonly topics: ReadonlyMap<string, Topic>;
  private readonly records: LaneRecords;
  private readonly member: GroupMember;
  private readonly asking: ProgressAsking;
  private offsets: GroupOffsets;
  private stopped = false;

  constructor(private readonly options: GroupConsumerOptions) {
    this.topics = new Map(options.topics.map((topic) => [topic.name, topic]));
    this.records = new LaneRecords({
      ...{ consumer: options.group, types: new Set(options.subscription.types) },
      ...{ isBefore: options.eventStore.isBefore, log: options.log },
    });
    this.offsets = this.freshOffsets();
    this.member = new GroupMember({
      ...options,
      topics: [...this.topics.keys()],
      onAssigned: (assigned) => this.assign(assigned),
      onBatch: (batch) => this.pass(batch),
    });
    this.asking = new ProgressAsking({
      ...options,
      awaits: (mode) => options.subscription.awaits?.(mode) ?? null,
      heard: (topic) => this.heardOf(topic),
    });
  }

  start(): void {
    if (this.topics.size === 0) return;
    this.member.start();
    this.asking.start();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.asking.stop();
    await Promise.all([...this.lanes.values()].map((lane) => lane.close({ leaving: true })));
    await this.member.stop();
    await Promise.all(this.ending.values());
  }

  /** Everything that was in the topics at the call is handled or parked, by this member or another. */
  async idle(): Promise<void> {
    // Until then, what the group has committed says nothing: the partition may be this member's to read anew.
    if (this.topics.size > 0) await this.member.joined;
    const ends = await this.insist(() => this.freshOffsets().ends());
    for (const [key, end] of ends) {
      while (!this.stopped && !(await this.isPast(key, end))) await this.wait(IDLE_LOOK_MS);
    }
  }

  /** Of what is parked in the lanes of this member. */
  async nextTry(): Promise<number | null> {
    return soonestOf(await Promise.all([...this.lanes.values()].map((lane) => lane.nextTry())));
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
      ...{ name, records, parking, eventStore, clock, log, delays },
      before: this.ending.get(key) ?? Promise.resolve(),
      start: () => offsets.startOf(key),
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
      messages.map(({ offset, value }) => this.records.read({ topic, partition, offset, value })),
    );
  }

  /** Only where all partitions of the mode are this member's: the progress of other members is not known here. */
  private tellProgress(mode: StreamMode): void {
    const lanes = this.options.topics
      .filter((topic) => topic.mode === mode)
      .flatMap((topic) => this.lanesOf(topic));
    const slowest = Math.min(...lanes.map((lane) => lane?.progress_ms ?? Number.NEGATIVE_INFINITY));
    if (slowest <= (this.progress.get(mode) ?? 0)) return;
    this.progress.set(mode, slowest);
    this.options.subscription.onProgress?.(mode, slowest);
  }

  /** Where no partition of it is this member's there is nothing more to hear. */
  private heardOf(topic: Topic): number {
    const mine = this.lanesOf(topic).filter((lane) => lane !== undefined);
    return Math.min(...mine.map((lane) => lane.progress_ms ?? 0));
  }

  private lanesOf({ name }: Topic): readonly (PartitionLane | undefined)[] {
    return Array.from({ length: this.options.partitions }, (_, partition) =>
      this.lanes.get(keyOf(name, partition)),
    );
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
