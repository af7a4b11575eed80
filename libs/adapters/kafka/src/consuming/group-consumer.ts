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
import { laneName } from '../topics/lanes';
import type { Topic } from '../topics/topics';
import type { Assigned, ContextGroup } from './context-group';
import { keyOf, type GroupOffsets } from './group-offsets';
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
  readonly group: ContextGroup;
  readonly subscription: Subscription;
  readonly topics: readonly Topic[];
  readonly partitions: number;
}

const IDLE_LOOK_MS = 10;
const OTHERS_LOOK_MS = 250;

/** One subscription: a lane for each partition of its topics that its group’s member has. */
export class GroupConsumer {
  readonly topics: readonly Topic[];
  private lanes = new Map<string, PartitionLane>();
  /** By partition: when the lane that had it last has let go. */
  private readonly ending = new Map<string, Promise<void>>();
  /** The progress that the subscription has heard of. */
  private readonly progress = new Map<StreamMode, number>();
  private readonly types: ReadonlySet<string>;
  private readonly asking: ProgressAsking;
  private offsets: GroupOffsets | null = null;
  private stopped = false;

  constructor(private readonly options: GroupConsumerOptions) {
    this.topics = options.topics;
    this.types = new Set(options.subscription.types);
    this.asking = new ProgressAsking({
      ...options,
      consumer: this.name,
      awaits: (mode) => options.subscription.awaits?.(mode) ?? null,
      heard: (topic) => this.heardOf(topic),
    });
  }

  get name(): string {
    return this.options.subscription.consumer;
  }

  start(): void {
    if (this.topics.length === 0) return;
    this.options.group.add(this);
    this.asking.start();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.asking.stop();
    await Promise.all([...this.lanes.values()].map((lane) => lane.close()));
    await this.options.group.remove(this);
    await Promise.all(this.ending.values());
  }

  /** Everything that was in the topics at the call is handled or parked, by this member or another. */
  async idle(): Promise<void> {
    if (this.topics.length === 0) return;
    // Until then, what the group has committed says nothing: the partition may be this member's to read anew.
    await this.options.group.joined;
    const ends = await this.insist((offsets) => offsets.ends(this.topicNames()));
    for (const [key, end] of ends) {
      while (!this.stopped && !(await this.isPast(key, end))) await this.wait(IDLE_LOOK_MS);
    }
  }

  /** Of what is parked in the lanes of this member. */
  async nextTry(): Promise<number | null> {
    return soonestOf(await Promise.all([...this.lanes.values()].map((lane) => lane.nextTry())));
  }

  /** These partitions are the member’s from now on, and no others. */
  assign(assigned: ReadonlyMap<string, Assigned>, offsets: GroupOffsets): void {
    for (const [key, lane] of this.lanes) this.ending.set(key, lane.close());
    this.lanes = new Map();
    this.offsets = offsets;
    if (this.stopped) return;
    for (const topic of this.topics) {
      for (const place of this.placesOf(topic)) {
        const mine = assigned.get(keyOf(place));
        if (mine) this.begin(topic, mine, offsets);
      }
    }
  }

  private async isPast(key: string, end: bigint): Promise<boolean> {
    const lane = this.lanes.get(key);
    if (lane) return lane.next_offset !== null && lane.next_offset >= end;
    if (end === 0n) return true;
    await this.wait(OTHERS_LOOK_MS);
    const { name } = this;
    const committed = await this.insist((offsets) => offsets.committedBy(name, this.topicNames()));
    return (committed.get(key) ?? 0n) >= end;
  }

  private begin(topic: Topic, place: Assigned, offsets: GroupOffsets): void {
    const lane = this.laneOf(topic, place, offsets);
    this.lanes.set(keyOf(place), lane);
    place.fetch.add(lane);
  }

  /** The next lane begins with what is in the topic then. */
  private beginAnew(topic: Topic, place: Assigned, offsets: GroupOffsets): void {
    const key = keyOf(place);
    const lane = this.lanes.get(key);
    if (!lane || this.offsets !== offsets) return;
    place.fetch.delete(lane);
    this.ending.set(key, lane.close());
    offsets.askAnew();
    this.begin(topic, place, offsets);
  }

  private laneOf(topic: Topic, place: Assigned, offsets: GroupOffsets): PartitionLane {
    const { group, subscription, recordsOf, eventStore, retry_delay_ms, ...ports } = this.options;
    const { clock, log, delays } = ports;
    const { isBefore } = eventStore;
    const { name: consumer, types } = this;
    const lane = laneName(topic.context, place.partition);
    const name = `${consumer}:${topic.mode}:${lane}`;
    const records = recordsOf(consumer, topic.mode, lane);
    const parking = new ParkingConsumer({
      ...{ name, records, isBefore, clock, log, delays, handler: subscription.handler },
      ...(retry_delay_ms ? { retry_delay_ms } : {}),
    });
    return new PartitionLane({
      ...{ name, types, records, parking, eventStore, clock, log, delays },
      before: this.ending.get(keyOf(place)) ?? Promise.resolve(),
      start: () => offsets.startOf(consumer, place),
      startAnew: () => this.beginAnew(topic, place, offsets),
      confirmed: () => group.confirmed(),
      onWanted: () => place.fetch.settle(),
      reach: (reached) => offsets.reach(consumer, place, reached),
      forget: () => offsets.forget(consumer, place),
      onTakeOver: () => subscription.onTakeOver?.(topic.mode),
      onProgress: () => this.tellProgress(topic.mode),
    });
  }

  /** Only where all partitions of the mode are this member's: the progress of other members is not known here. */
  private tellProgress(mode: StreamMode): void {
    const lanes = this.topics
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

  private lanesOf(topic: Topic): readonly (PartitionLane | undefined)[] {
    return this.placesOf(topic).map((place) => this.lanes.get(keyOf(place)));
  }

  private placesOf({ name: topic }: Topic) {
    const { partitions } = this.options;
    return Array.from({ length: partitions }, (_, partition) => ({ topic, partition }));
  }

  private topicNames(): readonly string[] {
    return this.topics.map(({ name }) => name);
  }

  /** Until it works, or the consumer is stopped. */
  private async insist<Result>(ask: (offsets: GroupOffsets) => Promise<Result>): Promise<Result> {
    for (;;) {
      try {
        return await ask(this.offsets as GroupOffsets);
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
