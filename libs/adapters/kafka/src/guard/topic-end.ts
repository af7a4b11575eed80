import { randomUUID } from 'node:crypto';
import { Unavailable, type Delays, type Log } from '@tender/eventing';
import type { Consumer } from 'kafkajs';
import type { KafkaConnection } from '../connection/kafka-connection';

export interface TopicEndOptions {
  readonly connection: KafkaConnection;
  readonly topic: string;
  /** What comes before the names of groups that read here and are gone afterwards. */
  readonly group: string;
  readonly delays: Delays;
  readonly log: Log;
}

export interface EndRecord {
  readonly partition: number;
  readonly value: Buffer | null;
}

export interface TopicRecords {
  readonly records: readonly EndRecord[];
  /** False when some of them were not sent, though the cluster answers. */
  readonly whole: boolean;
}

/** By partition: the offsets that are still to be read, up to `end`. */
type Borders = ReadonlyMap<number, { readonly from: bigint; readonly end: bigint }>;

/** Of each partition: the last one may be a stranger's, or the mark of a transaction. */
const RECORDS_MAX = 20;
const SESSION_MS = 10_000;
const FETCH_WAIT_MS = 100;
const READ_WAIT_MS = 5_000;
const JOIN_WAIT_MS = 15_000;

/**
 * The newest records of each partition, oldest first; none of a partition that is empty. Throws `Unavailable`
 * when the cluster does not answer. Reads as a consumer of a group of its own, as kafkajs has no other way.
 */
export async function readTopicEnd(options: TopicEndOptions): Promise<TopicRecords> {
  const { connection, topic, log } = options;
  const borders = await bordersOf(options);
  if (borders.size === 0) return { records: [], whole: true };
  const groupId = `${options.group}-${randomUUID()}`;
  const consumer = connection.kafka.consumer({
    ...{ groupId, sessionTimeout: SESSION_MS, rebalanceTimeout: SESSION_MS },
    ...{ maxWaitTimeInMs: FETCH_WAIT_MS, allowAutoTopicCreation: false },
    // Nothing here waits for another client's open transaction.
    readUncommitted: true,
  });
  try {
    const read = await readUp(consumer, borders, options);
    if (!read.whole) {
      // A broker that answers had time to send what it has: the rest may be unreadable.
      await bordersOf(options);
      log.warn({ topic }, 'the newest records of a topic were not read');
    }
    return read;
  } finally {
    void leave(consumer, groupId, connection);
  }
}

async function bordersOf({ connection, topic }: TopicEndOptions): Promise<Borders> {
  const found = await connection.admin((admin) => admin.fetchTopicOffsets(topic));
  const borders = found.map(({ partition, low, high }) => {
    const [oldest, end] = [BigInt(low), BigInt(high)];
    const window = end - BigInt(RECORDS_MAX);
    return [partition, { from: window > oldest ? window : oldest, end }] as const;
  });
  return new Map(borders.filter(([, { from, end }]) => from < end));
}

async function readUp(
  consumer: Consumer,
  borders: Borders,
  { topic, delays }: TopicEndOptions,
): Promise<TopicRecords> {
  const records: EndRecord[] = [];
  const left = new Set(borders.keys());
  let cancel = (): void => undefined;
  const whole = await new Promise<boolean>((done, fail) => {
    const failLate = () => fail(new Unavailable('kafka', { reason: 'no group can be joined' }));
    cancel = delays.after(JOIN_WAIT_MS, failLate);
    const reached = (partition: number, offset: string): void => {
      if (BigInt(offset) + 1n >= (borders.get(partition)?.end ?? 0n)) left.delete(partition);
      if (left.size === 0) done(true);
    };
    consumer.on(consumer.events.CRASH, ({ payload }) => fail(payload.error));
    consumer.on(consumer.events.GROUP_JOIN, () => {
      cancel();
      cancel = delays.after(READ_WAIT_MS, () => done(false));
      for (const [partition, { from }] of borders) {
        consumer.seek({ topic, partition, offset: String(from) });
      }
    });
    // Of batches, too, in which nothing is for us.
    consumer.on(consumer.events.END_BATCH_PROCESS, ({ payload }) =>
      reached(payload.partition, payload.lastOffset),
    );
    join(consumer, topic, (partition, value) => records.push({ partition, value })).catch(fail);
  }).finally(() => cancel());
  return { records, whole };
}

async function join(
  consumer: Consumer,
  topic: string,
  take: (partition: number, value: Buffer | null) => void,
): Promise<void> {
  await consumer.connect();
  await consumer.subscribe({ topics: [topic], fromBeginning: true });
  await consumer.run({
    autoCommit: false,
    eachBatch({ batch: { partition, messages } }) {
      for (const { value } of messages) take(partition, value);
      return Promise.resolve();
    },
  });
}

/** Not waited for; a group that stays is empty, has no offsets, and is removed by the cluster. */
async function leave(
  consumer: Consumer,
  groupId: string,
  { kafka }: KafkaConnection,
): Promise<void> {
  const admin = kafka.admin();
  try {
    await consumer.disconnect();
    await admin.connect();
    await admin.deleteGroups([groupId]);
  } catch {
    // It may not be ours to remove.
  } finally {
    await admin.disconnect().catch(() => undefined);
  }
}
