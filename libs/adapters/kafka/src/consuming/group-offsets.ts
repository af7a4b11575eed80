import type { Position } from '@tender/eventing';
import type { KafkaConnection } from '../connection/kafka-connection';
import type { LaneStart } from './lane-start';

interface Committed {
  readonly offset: bigint;
  readonly checkpoint: Position | null;
}

type Ends = ReadonlyMap<string, { readonly oldest: bigint; readonly end: bigint }>;

/** What Kafka says of a group's partitions, by `<topic>/<partition>`. Starts are asked for once for all. */
export class GroupOffsets {
  private asked: Promise<{ committed: ReadonlyMap<string, Committed>; ends: Ends }> | null = null;

  constructor(
    private readonly connection: KafkaConnection,
    private readonly group: string,
    private readonly topics: readonly string[],
  ) {}

  async startOf(key: string): Promise<LaneStart> {
    this.asked ??= Promise.all([this.committed(), this.borders()]).then(([committed, ends]) => ({
      committed,
      ends,
    }));
    try {
      const { committed, ends } = await this.asked;
      const kept = committed.get(key);
      return {
        committed: kept?.offset ?? null,
        checkpoint: kept?.checkpoint ?? null,
        oldest: ends.get(key)?.oldest ?? 0n,
        end: ends.get(key)?.end ?? 0n,
      };
    } catch (error) {
      this.asked = null;
      throw error;
    }
  }

  /** The offset that the next record of each partition will get. */
  async ends(): Promise<ReadonlyMap<string, bigint>> {
    return new Map([...(await this.borders())].map(([key, { end }]) => [key, end]));
  }

  async committed(): Promise<ReadonlyMap<string, Committed>> {
    const answer = await this.connection.admin((admin) =>
      admin.fetchOffsets({ groupId: this.group, topics: [...this.topics] }),
    );
    return new Map(
      answer.flatMap(({ topic, partitions }) =>
        partitions
          .filter(({ offset }) => BigInt(offset) >= 0n)
          .map(({ partition, offset, metadata }): [string, Committed] => [
            `${topic}/${partition}`,
            { offset: BigInt(offset), checkpoint: metadata || null },
          ]),
      ),
    );
  }

  private async borders(): Promise<Ends> {
    const all = await Promise.all(
      this.topics.map(async (topic) => {
        const found = await this.connection.admin((admin) => admin.fetchTopicOffsets(topic));
        return found.map(
          ({ partition, low, high }) =>
            [`${topic}/${partition}`, { oldest: BigInt(low), end: BigInt(high) }] as const,
        );
      }),
    );
    return new Map(all.flat());
  }
}
