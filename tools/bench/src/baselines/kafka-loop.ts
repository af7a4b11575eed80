import { setTimeout as sleep } from 'node:timers/promises';
import { CompressionTypes, Kafka, logLevel, Partitioners } from 'kafkajs';
import { answerOrders } from '../answer-orders';

interface Order {
  readonly brokers: readonly string[];
  readonly topic: string;
  readonly value: string;
  /** How many records at once, as fast as they go … */
  readonly count: number;
  /** … then one by one at this rate, for so long. */
  readonly rate: number;
  readonly timed_ms: number;
}

const PARTITIONS = 3;
/** Half a megabyte at a time: larger requests are not faster. */
const BATCH = 500;
const TICK_MS = 1;

// Produces and consumes in one process, acknowledged by all replicas; nothing is read from or written to a table.
answerOrders(measure);

async function measure({ brokers, topic, value, count, rate, timed_ms }: Order) {
  const kafka = new Kafka({ brokers: [...brokers], logLevel: logLevel.NOTHING });
  const admin = kafka.admin();
  await admin.connect();
  const topics = [{ topic, numPartitions: PARTITIONS }];
  await admin.createTopics({ topics, waitForLeaders: true });
  await admin.disconnect();
  const producer = kafka.producer({
    idempotent: true,
    maxInFlightRequests: 1,
    createPartitioner: Partitioners.DefaultPartitioner,
  });
  await producer.connect();
  const seen: { at_ms: number; sent_ms: number }[] = [];
  let consumed = 0;
  const consumer = kafka.consumer({ groupId: `${topic}-readers`, maxWaitTimeInMs: 100 });
  await consumer.connect();
  await consumer.subscribe({ topics: [topic], fromBeginning: true });
  await consumer.run({
    async eachBatch({ batch }) {
      const at_ms = performance.now();
      for (const { key, value: bytes } of batch.messages) {
        // What every reader does.
        JSON.parse(String(bytes));
        consumed += 1;
        const sent_ms = Number(/ sent (.*)$/.exec(String(key))?.[1] ?? NaN);
        if (!Number.isNaN(sent_ms)) seen.push({ at_ms, sent_ms });
      }
    },
  });
  const send = (keys: readonly string[]) =>
    producer.send({
      topic,
      acks: -1,
      compression: CompressionTypes.None,
      messages: keys.map((key) => ({ key, value })),
    });
  // Connections, groups and code are warm.
  await send(Array.from({ length: BATCH }, (_, number) => `warm ${number}`));
  while (consumed < BATCH) await sleep(TICK_MS);

  const began = performance.now();
  for (let sent = 0; sent < count; sent += BATCH) {
    const size = Math.min(BATCH, count - sent);
    await send(Array.from({ length: size }, (_, number) => `payment ${sent + number}`));
  }
  while (consumed < BATCH + count) await sleep(TICK_MS);
  const per_s = count / ((performance.now() - began) / 1000);

  const from = performance.now();
  let due = 0;
  for (; performance.now() < from + timed_ms; await sleep(TICK_MS)) {
    const keys: string[] = [];
    const now = performance.now();
    for (; from + (due * 1000) / rate <= now; due += 1) keys.push(`payment ${due} sent ${now}`);
    if (keys.length > 0) await send(keys);
  }
  while (seen.length < due) await sleep(TICK_MS);
  const waits = seen.map(({ at_ms, sent_ms }) => at_ms - sent_ms).sort((a, b) => a - b);
  await consumer.disconnect();
  await producer.disconnect();
  const quantile = (part: number) => waits[Math.floor(part * (waits.length - 1))] ?? NaN;
  return { per_s, p50: quantile(0.5), p99: quantile(0.99), consumed: consumed - BATCH };
}
