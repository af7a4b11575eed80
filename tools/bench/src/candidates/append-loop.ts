import { randomUUID } from 'node:crypto';
import { postgresEventStore, type PostgresEventStore } from '@tender/adapter-postgres';
import { streamName, type EventMetadata, type Log, type NewEvent } from '@tender/eventing';
import { answerOrders } from '../answer-orders';

interface Order {
  readonly connection_string: string;
  readonly writers: number;
  readonly warmup_ms: number;
  readonly timed_ms: number;
  readonly data: object;
  readonly metadata: EventMetadata;
}

const log: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const clock = { now: () => Date.now(), wall: () => Date.now() };

// Writers that each wait for the answer to their own append to a stream of its own before the next one.
answerOrders(appendAll);

async function appendAll(order: Order) {
  const store = postgresEventStore({ connectionString: order.connection_string, clock, log });
  await store.start();
  const faults = await probe(store, order);
  const from = performance.now() + order.warmup_ms;
  const until = from + order.timed_ms;
  let accepted = 0;
  let timed = 0;
  let refused = 0;
  await Promise.all(
    Array.from({ length: order.writers }, async () => {
      while (performance.now() < until) {
        const stream = streamName('bench', 'test', randomUUID());
        const answer = await store.append(stream, [newEvent(order)], 'no_stream');
        if (!answer.ok) refused += 1;
        else accepted += 1;
        const now = performance.now();
        if (answer.ok && now >= from && now <= until) timed += 1;
      }
    }),
  );
  await store.close();
  return { accepted, refused, faults, per_s: timed / (order.timed_ms / 1000) };
}

const newEvent = ({ data, metadata }: Order): NewEvent => ({
  type: 'PaymentCreated',
  data,
  metadata: { ...metadata, id: randomUUID() },
});

/** Each caller must get its own answer: a stale append is refused, a repeat answered as before. */
async function probe(store: PostgresEventStore, order: Order): Promise<string[]> {
  const stream = streamName('probe', 'test', randomUUID());
  const first = newEvent(order);
  const created = await store.append(stream, [first], 'no_stream');
  const repeated = await store.append(stream, [first], 'no_stream');
  const stale = await store.append(stream, [newEvent(order)], 'no_stream');
  const there = await store.load(stream);
  return [
    ...(created.ok && repeated.ok && created.position === repeated.position
      ? []
      : ['a repeated append is not answered as the first was']),
    ...(stale.ok ? ['a stale append was accepted'] : []),
    ...(there.length === 1 ? [] : [`${there.length} events in the stream in place of 1`]),
  ];
}
