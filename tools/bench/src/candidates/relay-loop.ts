import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { kafkaBus, kafkaRelay, type Speaker } from '@tender/adapter-kafka';
import {
  consumerRecords,
  postgresReadModels,
  realDelays,
  sharedPostgresEventStore,
} from '@tender/adapter-postgres';
import {
  streamName,
  type EventMetadata,
  type EventStore,
  type Log,
  type Publishing,
} from '@tender/eventing';
import { answerOrders } from '../answer-orders';

interface Order {
  readonly connection_string: string;
  readonly brokers: readonly string[];
  /** Before the names of topics and groups. */
  readonly namespace: string;
  /** In the log before the relay starts. */
  readonly count: number;
  readonly rate: number;
  readonly timed_ms: number;
  readonly data: object;
  readonly metadata: EventMetadata;
}

const log: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const clock = { now: () => Date.now(), wall: () => Date.now() };
const TICK_MS = 1;
const WRITERS = 64;
/** Events that are no part of what is timed: as many warm the first relay as the second one. */
const WARM = 2 * WRITERS;
const FACT = 'bench.order-made.v1';

const context: Publishing = {
  name: 'bench',
  schema: 'bench',
  publishes: { categories: ['order.test'], publish: ({ data }) => ({ type: FACT, data }) },
};
const speaker: Speaker = { name: 'bench', modes: ['test'] };

// The log, its relay and one reactor in one process, as the services have them.
answerOrders(measure);
// With its profile, where one is taken.
process.on('SIGTERM', () => process.exit(0));

async function measure(order: Order) {
  const { connection_string: connectionString, brokers, namespace } = order;
  const { count, rate, timed_ms } = order;
  const store = sharedPostgresEventStore({ connectionString, clock, log });
  await store.start();
  const own = { schemas: ['bench'], migrations: [] };
  const readModels = postgresReadModels({ connectionString, ...own, log });
  await readModels.start();
  const contexts = [context];
  const kafka = { brokers, namespace, clock, log, delays: realDelays, contexts };
  const openRelay = () => kafkaRelay({ ...kafka, eventStore: store, readModels });
  let relay = openRelay();
  const bus = kafkaBus({
    ...kafka,
    speakers: [speaker],
    recordsOf: consumerRecords(readModels, contexts),
    eventStore: store,
    askProgress: async (...asked) => relay.tellProgress(...asked),
  });
  const seen = new Map<string, number>();
  const untilSeen = async (events: number): Promise<void> => {
    while (seen.size < events) await sleep(TICK_MS);
  };
  let out_of_order = 0;
  const last = new Map<string, number>();
  await bus.consume({
    consumer: 'bench.count-orders',
    types: [FACT],
    async handler(batch) {
      const at_ms = performance.now();
      for (const { causation_id, key, sequence } of batch) {
        seen.set(causation_id, at_ms);
        if (sequence <= (last.get(key) ?? -1)) out_of_order += 1;
        last.set(key, sequence);
      }
    },
  });
  await relay.start();
  // Topics, groups and code are warm.
  await appendAll(store, order, WRITERS);
  await untilSeen(WRITERS);
  await relay.stop();

  await appendAll(store, order, count);
  relay = openRelay();
  const began = performance.now();
  await relay.start();
  await untilSeen(WRITERS + count);
  const per_s = count / ((performance.now() - began) / 1000);
  // A relay that has just started looks into its topic before it writes: a steady stream does not wait for that.
  await appendAll(store, order, WRITERS);
  await untilSeen(WARM + count);

  const sent = new Map<string, number>();
  const from = performance.now();
  const appends: Promise<void>[] = [];
  let due = 0;
  for (; performance.now() < from + timed_ms; await sleep(TICK_MS)) {
    for (; from + (due * 1000) / rate <= performance.now(); due += 1) {
      appends.push(append(store, order).then((id) => void sent.set(id, performance.now())));
    }
  }
  await Promise.all(appends);
  await untilSeen(WARM + count + due);
  // From the commit, as the writer hears of it, to the reactor.
  const waits = [...sent].map(([id, sent_ms]) => Math.max(0, (seen.get(id) as number) - sent_ms));
  waits.sort((a, b) => a - b);
  await relay.stop();
  await bus.close();
  await readModels.close();
  await store.close();
  const quantile = (part: number) => waits[Math.floor(part * (waits.length - 1))] ?? NaN;
  return {
    ...{ per_s, p50: quantile(0.5), p99: quantile(0.99) },
    ...{ consumed: seen.size - WARM, sent: count + due, out_of_order },
  };
}

async function appendAll(store: EventStore, order: Order, count: number): Promise<void> {
  let made = 0;
  await Promise.all(
    Array.from({ length: WRITERS }, async () => {
      while (made < count) {
        made += 1;
        await append(store, order);
      }
    }),
  );
}

/** Answers the id of the event. */
async function append(store: EventStore, { data, metadata }: Order): Promise<string> {
  const id = randomUUID();
  const stream = streamName('order', 'test', randomUUID());
  const event = { type: 'OrderMade', data, metadata: { ...metadata, id } };
  const answer = await store.append(stream, [event], 'no_stream');
  if (!answer.ok) throw new Error(`${stream} was there before`);
  return id;
}
