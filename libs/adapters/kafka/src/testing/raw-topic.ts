import { logLevel, Partitioners, type KafkaMessage } from 'kafkajs';
import { kafkaClient } from '../connection/kafka-client';
import { PATIENT } from './cluster';

export interface RawRecord extends Pick<KafkaMessage, 'key' | 'value' | 'headers'> {
  readonly partition: number;
  /** Null for what is not JSON. */
  readonly event: { readonly id: string; readonly type: string } | null;
}

/** A topic as any other client of the cluster sees it. */
export function rawTopic(brokers: readonly string[], topic: string) {
  const kafka = kafkaClient({ brokers: [...brokers], logLevel: logLevel.NOTHING, ...PATIENT });

  return { all, untilNothingComes, write, resetOffsets, offsetsOf };

  /** Every record up to the end of the topic as it is now. */
  async function all(): Promise<RawRecord[]> {
    const admin = kafka.admin();
    await admin.connect();
    const ends = await admin.fetchTopicOffsets(topic);
    await admin.disconnect();
    const left = new Map(ends.map(({ partition, high }) => [partition, BigInt(high)]));
    for (const [partition, high] of left) if (high === 0n) left.delete(partition);
    const found: RawRecord[] = [];
    const consumer = kafka.consumer({ groupId: `raw-${performance.now()}`, maxWaitTimeInMs: 50 });
    await consumer.connect();
    await consumer.subscribe({ topics: [topic], fromBeginning: true });
    await new Promise<void>((done) => {
      if (left.size === 0) done();
      void consumer.run({
        eachBatch({ batch: { partition, messages } }) {
          for (const { key, value, headers, offset } of messages) {
            found.push({ key, value, headers, partition, event: eventOf(value) });
            if (BigInt(offset) + 1n >= (left.get(partition) ?? 0n)) left.delete(partition);
          }
          if (left.size === 0) done();
          return Promise.resolve();
        },
      });
    });
    await consumer.disconnect();
    return found;
  }

  /**
   * As a client that ends at the end of a topic (`kcat -e`): it takes a fetch that brings nothing for the end. One
   * that waits so long for a record never ends where one comes sooner, again and again.
   */
  async function untilNothingComes(): Promise<RawRecord[]> {
    const found: RawRecord[] = [];
    const consumer = kafka.consumer({ groupId: `end-${performance.now()}`, maxWaitTimeInMs: 1_000 });
    const { FETCH, START_BATCH_PROCESS } = consumer.events;
    await consumer.connect();
    await consumer.subscribe({ topics: [topic], fromBeginning: true });
    await new Promise<void>((done) => {
      let brought = true;
      consumer.on(START_BATCH_PROCESS, () => void (brought = true));
      consumer.on(consumer.events.FETCH_START, () => {
        if (!brought) done();
      });
      consumer.on(FETCH, () => void (brought = false));
      void consumer.run({
        eachBatch({ batch: { partition, messages } }) {
          for (const { key, value, headers } of messages) {
            found.push({ key, value, headers, partition, event: eventOf(value) });
          }
          return Promise.resolve();
        },
      });
    });
    await consumer.disconnect();
    return found;
  }

  async function write(records: readonly Pick<RawRecord, 'key' | 'value' | 'partition'>[]) {
    const producer = kafka.producer({ createPartitioner: Partitioners.DefaultPartitioner });
    await producer.connect();
    for (const { key, value, partition } of records) {
      await producer.send({ topic, messages: [{ key, value, partition }] });
    }
    await producer.disconnect();
  }

  /** As if no offset had ever been committed. */
  async function resetOffsets(group: string): Promise<void> {
    const admin = kafka.admin();
    await admin.connect();
    const reset = admin.resetOffsets({ groupId: group, topic, earliest: true });
    await reset.finally(() => admin.disconnect());
  }

  async function offsetsOf(group: string): Promise<readonly number[]> {
    const admin = kafka.admin();
    await admin.connect();
    const [answer] = await admin.fetchOffsets({ groupId: group, topics: [topic] });
    await admin.disconnect();
    return (answer?.partitions ?? []).map(({ offset }) => Number(offset));
  }
}

function eventOf(value: Buffer | null): RawRecord['event'] {
  try {
    return JSON.parse(String(value)) as RawRecord['event'];
  } catch {
    return null;
  }
}
