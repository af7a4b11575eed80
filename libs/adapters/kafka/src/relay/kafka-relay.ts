import {
  publisherOf,
  Unavailable,
  type EventStore,
  type Follower,
  type Publishing,
  type ReadModels,
  type StreamMode,
} from '@tender/eventing';
import type { Clock } from '@tender/kernel';
import { KafkaConnection, type KafkaConnectionOptions } from '../connection/kafka-connection';
import { relayName } from '../topics/lanes';
import { RecordProducer } from './record-producer';
import { readTopicEnd } from '../guard/topic-end';
import { TopicGuard } from '../guard/topic-guard';
import { TopicRelay } from './topic-relay';
import { ensureTopics, modeOfCategory, PARTITIONS, speakerOf, topicsOf } from '../topics/topics';

export interface KafkaRelayOptions extends KafkaConnectionOptions {
  /** The contexts of this process: what they make public is what this relay writes. */
  readonly contexts: readonly Publishing[];
  readonly eventStore: EventStore;
  readonly readModels: ReadModels;
  readonly clock: Clock;
  /** Of topics that are made; 3 by default. Never change it while records wait: keys would change partition. */
  readonly partitions?: number;
  /** Before every topic name, where several systems share a cluster. */
  readonly namespace?: string;
}

export interface KafkaRelay {
  /**
   * Takes the relay's checkpoints over and follows the log. Needs the database, not Kafka: without Kafka it
   * keeps trying, and appends are none of its business.
   */
  start(): Promise<void>;
  /**
   * Has the consumers of that topic hear of progress as soon as it has come to that wall time (ms). Throws
   * `Unavailable` where this process does not relay it.
   */
  tellProgress(context: string, mode: StreamMode, until_ms: number): void;
  /** Everything that was in the log at the call is in Kafka, acknowledged. */
  idle(): Promise<void>;
  stop(): Promise<void>;
}

/** Under load: each batch costs the broker an acknowledgement and each consumer of the topic a transaction. */
const PACE_MS = 25;

/**
 * Log → `publish` → Kafka, per context and mode, in log order; the checkpoint moves after the acknowledgement
 * (P2, P3). A record may be there twice, never out of order with another that is there for the first time.
 * A topic that was filled from another log than this one (restored) is not written to.
 */
export function kafkaRelay(options: KafkaRelayOptions): KafkaRelay {
  const { contexts, eventStore, namespace, partitions = PARTITIONS } = options;
  const connection = new KafkaConnection(options);
  const publisher = publisherOf(contexts);
  const running = new Map<
    string,
    { relay: TopicRelay; producer: RecordProducer; follower: Follower }
  >();

  return {
    async start() {
      for (const context of contexts) {
        for (const topic of topicsOf([speakerOf(context)], namespace)) {
          const { delays } = options;
          const producer = new RecordProducer(connection, topic.name, partitions, delays);
          const name = relayName(topic.context, topic.mode);
          const group = `${namespace ?? ''}${name}`;
          const guard = new TopicGuard({
            ...options,
            ...{ name: group, topic: topic.name },
            async readEnd() {
              await ensureTopics(connection, [topic.name], partitions);
              return readTopicEnd({ ...options, connection, group, topic: topic.name });
            },
          });
          const relay = new TopicRelay({
            ...options,
            ...{ guard, name, producer, partitions, publisher, topic },
            schema: context.schema,
          });
          const from = await relay.open();
          const follower = eventStore.follow({
            name,
            categories: context.publishes.categories.filter(
              (category) => modeOfCategory(category) === topic.mode,
            ),
            from,
            pace_ms: PACE_MS,
            onEvents: (events) => relay.pass(events),
            onProgress: (position, wall_ms) => relay.noteProgress(position, wall_ms),
          });
          running.set(name, { relay, producer, follower });
        }
      }
    },
    tellProgress(context, mode, until_ms) {
      const asked = running.get(relayName(context, mode));
      if (!asked) throw new Unavailable('the relay', { reason: 'another process has the topic' });
      asked.relay.tellUpTo(until_ms);
    },
    async idle() {
      await Promise.all([...running.values()].map(({ follower }) => follower.idle()));
    },
    async stop() {
      const ending = [...running.values()];
      running.clear();
      for (const { relay } of ending) relay.stop();
      await Promise.all(
        ending.flatMap(({ relay, follower, producer }) => [
          follower.stop().then(() => relay.leave()),
          producer.close(),
        ]),
      );
      connection.close();
    },
  };
}
