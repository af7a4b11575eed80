import type { Delays } from '@tender/eventing';
import type { KafkaConnection } from '../connection/kafka-connection';
import type { LaneStart } from './lane-start';
import { offsetsOfText, textOfOffsets, type OffsetsByConsumer, type ReachedOffset } from './offsets-text';

/** What the group says of one partition. */
export interface PartitionCommit {
  readonly topic: string;
  readonly partition: number;
  readonly offset: bigint;
  readonly metadata: string;
}

/** A partition of a topic. */
export interface Place {
  readonly topic: string;
  readonly partition: number;
}

export const keyOf = ({ topic, partition }: Place): string => `${topic}/${partition}`;

export interface GroupOffsetsOptions {
  readonly connection: KafkaConnection;
  readonly group: string;
  readonly delays: Delays;
  /** Of all consumers of the group. */
  readonly topics: () => readonly string[];
  /** Those of this release: of others Kafka keeps nothing. */
  readonly consumers: ReadonlySet<string>;
  readonly commit: (commits: readonly PartitionCommit[]) => Promise<void>;
}

type Ends = ReadonlyMap<string, { readonly oldest: bigint; readonly end: bigint }>;

interface Asked {
  readonly committed: ReadonlyMap<string, OffsetsByConsumer>;
  readonly ends: Ends;
}

const COMMIT_MS = 1_000;

/**
 * The offsets that the consumers of a group have reached, by `<topic>/<partition>`. Kafka keeps one of the group, the
 * least, and beside it those of all consumers. It hears of them once a second: they save the next lane work, and
 * nothing depends on them.
 */
export class GroupOffsets {
  private asked: Promise<Asked> | null = null;
  private readonly reached = new Map<string, Map<string, ReachedOffset>>();
  private readonly changed = new Map<string, Place>();
  private cancelCommit: (() => void) | null = null;
  private ended = false;

  constructor(private readonly options: GroupOffsetsOptions) {}

  /** Asked of Kafka once for all. */
  async startOf(consumer: string, place: Place): Promise<LaneStart> {
    const { committed, ends } = await this.ask();
    const key = keyOf(place);
    const kept = committed.get(key)?.get(consumer);
    return {
      committed: kept?.offset ?? null,
      checkpoint: kept?.checkpoint ?? null,
      oldest: ends.get(key)?.oldest ?? 0n,
      end: ends.get(key)?.end ?? 0n,
    };
  }

  /** What Kafka said when the lanes began is worth nothing any more: the topic may be another. */
  askAnew(): void {
    this.asked = null;
  }

  reach(consumer: string, place: Place, reached: ReachedOffset): void {
    if (this.ended) return;
    this.reachedAt(keyOf(place)).set(consumer, reached);
    this.changed.set(keyOf(place), place);
    this.cancelCommit ??= this.options.delays.after(COMMIT_MS, () => {
      this.cancelCommit = null;
      void this.commitNow();
    });
  }

  /** Until it reaches one again, Kafka hears of no offset of that consumer. */
  forget(consumer: string, place: Place): void {
    this.reached.get(keyOf(place))?.delete(consumer);
  }

  async commitNow(): Promise<void> {
    const { consumers } = this.options;
    const commits = [...this.changed].flatMap(([key, { topic, partition }]) => {
      const kept = [...this.reachedAt(key)].filter(([consumer]) => consumers.has(consumer));
      const offsets = kept.map(([, { offset }]) => offset);
      if (offsets.length === 0) return [];
      const offset = offsets.reduce((least, one) => (one < least ? one : least));
      return { topic, partition, offset, metadata: textOfOffsets(new Map(kept)) };
    });
    this.changed.clear();
    if (commits.length > 0) await this.options.commit(commits);
  }

  /** From here on the partitions may be another member's: Kafka hears of nothing more. */
  end(): void {
    this.ended = true;
    this.cancelCommit?.();
  }

  /** The offset that the next record of each partition will get. */
  async ends(topics: readonly string[]): Promise<ReadonlyMap<string, bigint>> {
    return new Map([...(await this.borders(topics))].map(([key, { end }]) => [key, end]));
  }

  /** What any member of the group has committed of that consumer. */
  async committedBy(
    consumer: string,
    topics: readonly string[],
  ): Promise<ReadonlyMap<string, bigint>> {
    const all = [...(await this.committed(topics))];
    return new Map(
      all.flatMap(([key, offsets]) => {
        const offset = offsets.get(consumer)?.offset;
        return offset === undefined ? [] : [[key, offset] as const];
      }),
    );
  }

  private async ask(): Promise<Asked> {
    const topics = this.options.topics();
    const asking = (this.asked ??= Promise.all([this.committed(topics), this.borders(topics)]).then(
      ([committed, ends]) => {
        // Of those that have not begun yet, Kafka goes on to keep what it has.
        for (const [key, offsets] of committed) {
          const reached = this.reachedAt(key);
          for (const [consumer, one] of offsets) {
            if (!reached.has(consumer)) reached.set(consumer, one);
          }
        }
        return { committed, ends };
      },
    ));
    try {
      return await asking;
    } catch (error) {
      if (this.asked === asking) this.asked = null;
      throw error;
    }
  }

  private reachedAt(key: string): Map<string, ReachedOffset> {
    const there = this.reached.get(key) ?? new Map<string, ReachedOffset>();
    this.reached.set(key, there);
    return there;
  }

  private async committed(topics: readonly string[]): Promise<Map<string, OffsetsByConsumer>> {
    const answer = await this.options.connection.admin((admin) =>
      admin.fetchOffsets({ groupId: this.options.group, topics: [...topics] }),
    );
    return new Map(
      answer.flatMap(({ topic, partitions }) =>
        partitions.map(({ partition, metadata }): [string, OffsetsByConsumer] => [
          keyOf({ topic, partition }),
          offsetsOfText(metadata),
        ]),
      ),
    );
  }

  private async borders(topics: readonly string[]): Promise<Ends> {
    const { connection } = this.options;
    const all = await Promise.all(
      topics.map(async (topic) => {
        const found = await connection.admin((admin) => admin.fetchTopicOffsets(topic));
        return found.map(
          ({ partition, low, high }) =>
            [keyOf({ topic, partition }), { oldest: BigInt(low), end: BigInt(high) }] as const,
        );
      }),
    );
    return new Map(all.flat());
  }
}
