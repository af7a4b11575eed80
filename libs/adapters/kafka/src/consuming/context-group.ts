import type { Delays, EventStore, Log } from '@tender/eventing';
import type { Batch } from 'kafkajs';
import type { KafkaConnection } from '../connection/kafka-connection';
import type { GroupConsumer } from './group-consumer';
import { GroupMember } from './group-member';
import { GroupOffsets, keyOf, type Place } from './group-offsets';
import { LaneRecords } from './lane-records';
import { PartitionFetch } from './partition-fetch';

export interface ContextGroupOptions {
  readonly connection: KafkaConnection;
  readonly group: string;
  readonly partitions: number;
  readonly session_timeout_ms: number;
  readonly eventStore: Pick<EventStore, 'isBefore'>;
  readonly delays: Delays;
  readonly log: Log;
}

/** A partition that is this member's, and what is fetched of it. */
export interface Assigned extends Place {
  readonly fetch: PartitionFetch;
}

/**
 * The consumers of one context are one member of one group: what several of them hear is fetched and read once. How
 * far each has come is its own, and one that is slow or stuck holds up no other.
 */
export class ContextGroup {
  private readonly consumers = new Set<GroupConsumer>();
  /** Also of those that have left it: how far they have come stays true. */
  private readonly names = new Set<string>();
  private readonly member: GroupMember;
  private readonly records: LaneRecords;
  private assigned: ReadonlyMap<string, Assigned> = new Map();
  private offsets: GroupOffsets;
  /** Those that the member asks for; null before it is started. */
  private subscribed: ReadonlySet<string> | null = null;
  private over = false;

  constructor(private readonly options: ContextGroupOptions) {
    const { group, eventStore, log } = options;
    this.records = new LaneRecords({ group, isBefore: eventStore.isBefore, log });
    this.member = new GroupMember({
      ...options,
      topics: () => this.subscribe(),
      onAssigned: (assigned) => this.assign(assigned),
      onBatch: (batch) => this.pass(batch),
    });
    this.offsets = this.freshOffsets();
  }

  /** Its last consumer has left it, or is about to: who comes then needs another. */
  get isOver(): boolean {
    return this.over;
  }

  /** Resolves when the group has first told which partitions are this member's. */
  get joined(): Promise<void> {
    return this.member.joined;
  }

  /** The next time that the group confirms this member. */
  confirmed(): Promise<void> {
    return this.member.confirmed();
  }

  /** Those of one turn of the event loop join together; a later one with topics of its own has all join again. */
  add(consumer: GroupConsumer): void {
    const is_first = this.consumers.size === 0;
    this.consumers.add(consumer);
    this.names.add(consumer.name);
    consumer.assign(this.assigned, this.offsets);
    const { subscribed } = this;
    if (is_first) setImmediate(() => this.member.start());
    else if (subscribed && consumer.topics.some(({ name }) => !subscribed.has(name))) {
      this.member.startAnew();
    }
  }

  /** Its lanes are closed. The last one leaves the group. */
  async remove(consumer: GroupConsumer): Promise<void> {
    if (!this.consumers.has(consumer)) return;
    if (this.consumers.size > 1) return void this.consumers.delete(consumer);
    this.over = true;
    await this.offsets.commitNow();
    this.offsets.end();
    this.consumers.delete(consumer);
    await this.member.stop();
  }

  private subscribe(): readonly string[] {
    const topics = this.topics();
    this.subscribed = new Set(topics);
    return topics;
  }

  private topics(): readonly string[] {
    const all = [...this.consumers].flatMap(({ topics }) => topics.map(({ name }) => name));
    return [...new Set(all)];
  }

  /** Lanes are made anew at every change of the group: what was fetched before is fetched again. */
  private assign(assigned: Readonly<Record<string, readonly number[]>>): void {
    this.offsets.end();
    this.offsets = this.freshOffsets();
    for (const { fetch } of this.assigned.values()) fetch.end();
    const places = Object.entries(assigned).flatMap(([topic, partitions]) =>
      partitions.map((partition) => ({ topic, partition })),
    );
    this.assigned = new Map(
      places.map((place) => [keyOf(place), { ...place, fetch: this.fetchOf(place) }]),
    );
    for (const consumer of this.consumers) consumer.assign(this.assigned, this.offsets);
  }

  private fetchOf({ topic, partition }: Place): PartitionFetch {
    const { member } = this;
    return new PartitionFetch({
      seek: (offset) => member.seek(topic, partition, offset),
      pause: () => member.pause(topic, partition),
      resume: () => member.resume(topic, partition),
    });
  }

  private pass({ topic, partition, messages, highWatermark }: Batch): void {
    const [first, last] = [messages[0], messages.at(-1)];
    if (!first || !last) return;
    this.assigned.get(keyOf({ topic, partition }))?.fetch.pass({
      first: BigInt(first.offset),
      next: BigInt(last.offset) + 1n,
      end: BigInt(highWatermark),
      read: () =>
        messages.map(({ offset, value }) => this.records.read({ topic, partition, offset, value })),
    });
  }

  private freshOffsets(): GroupOffsets {
    const { connection, group, delays } = this.options;
    return new GroupOffsets({
      ...{ connection, group, delays, topics: () => this.topics() },
      consumers: this.names,
      commit: (commits) => this.member.commit(commits),
    });
  }
}
