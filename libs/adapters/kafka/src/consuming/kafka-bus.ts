import type { Bus, Consumer, Subscription } from '@tender/eventing';
import { invariant } from '@tender/kernel';
import { KafkaConnection, type KafkaConnectionOptions } from '../connection/kafka-connection';
import { PARTITIONS, topicsOf, type Speaker } from '../topics/topics';
import { ContextGroup } from './context-group';
import { GroupConsumer, type ConsumingPorts } from './group-consumer';

export interface KafkaBusOptions extends KafkaConnectionOptions, ConsumingPorts {
  /** The contexts that have public events to hear, also those of other processes. */
  readonly speakers: readonly Speaker[];
  /** As the relay's. */
  readonly partitions?: number;
  /** Before every topic and group name, where several systems share a cluster. */
  readonly namespace?: string;
  /** Until a member that says nothing is replaced; 6 s, the least that brokers take by default. */
  readonly session_timeout_ms?: number;
}

/**
 * The bus of the distributed run: a consumer group per context, over the topics that the relays fill. The
 * checkpoint, per consumer and partition, is a log position in the database, in the transaction of the effect; what is
 * not past it is a repeat. `consume` does not wait for Kafka.
 */
export function kafkaBus(options: KafkaBusOptions): Bus & { close(): Promise<void> } {
  const connection = new KafkaConnection(options);
  const consumers = new Map<string, Consumer>();
  const groups = new Map<string, ContextGroup>();
  const { namespace = '', partitions = PARTITIONS, session_timeout_ms = 6_000 } = options;

  /** Of the consumers that `<context>.` begins. */
  function groupOf(context: string): ContextGroup {
    const there = groups.get(context);
    // The last consumer of a group takes it along.
    if (there && !there.isOver) return there;
    const group = new ContextGroup({
      ...{ ...options, connection, partitions, session_timeout_ms },
      group: `${namespace}${context}`,
    });
    groups.set(context, group);
    return group;
  }

  return {
    consume(subscription: Subscription): Promise<Consumer> {
      const { consumer: name, types } = subscription;
      invariant(!consumers.has(name), `one subscription per consumer (${name})`);
      const speaking = options.speakers.filter((speaker) =>
        types.some((type) => type.startsWith(`${speaker.name}.`)),
      );
      const [context = name] = name.split('.');
      const member = new GroupConsumer({
        ...{ ...options, partitions, subscription },
        group: groupOf(context),
        topics: topicsOf(speaking, namespace),
      });
      member.start();
      const consumer: Consumer = {
        idle: () => member.idle(),
        nextTry: () => member.nextTry(),
        async stop() {
          consumers.delete(name);
          await member.stop();
        },
      };
      consumers.set(name, consumer);
      return Promise.resolve(consumer);
    },
    async close() {
      await Promise.all([...consumers.values()].map((consumer) => consumer.stop()));
      connection.close();
    },
  };
}
