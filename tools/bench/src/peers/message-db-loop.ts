import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { answerOrders } from '../answer-orders';
import { installMessageDb, messageDbPool, writeFirst, type FirstMessage } from './message-db';

interface Order {
  readonly connection_string: string;
  readonly pool: number;
  readonly writers: number;
  /** Whether each writer has a category to itself: appends of one category wait for each other. */
  readonly category_each: boolean;
  readonly warmup_ms: number;
  readonly timed_ms: number;
  /** JSON. */
  readonly data: string;
  readonly metadata: string;
}

// Writers that each wait for the answer to their own append to a stream of its own before the next one.
answerOrders(appendAll);

async function appendAll(order: Order) {
  await installMessageDb(order.connection_string);
  const pool = messageDbPool(order.connection_string, order.pool);
  const faults = await probe(pool, order);
  const from = performance.now() + order.warmup_ms;
  const until = from + order.timed_ms;
  let accepted = 0;
  let timed = 0;
  await Promise.all(
    Array.from({ length: order.writers }, async (_, writer) => {
      const category = order.category_each ? `bench${writer}` : 'bench';
      while (performance.now() < until) {
        await writeFirst(pool, message(category, order));
        accepted += 1;
        const now = performance.now();
        if (now >= from && now <= until) timed += 1;
      }
    }),
  );
  const { rows } = await pool.query<{ count: string }>(
    `SELECT count(*) FROM messages WHERE stream_name LIKE 'bench%'`,
  );
  await pool.end();
  const stored = Number(rows[0]?.count);
  return { accepted, stored, faults, per_s: timed / (order.timed_ms / 1000) };
}

const message = (category: string, { data, metadata }: Order): FirstMessage => ({
  id: randomUUID(),
  stream: `${category}-${randomUUID()}`,
  type: 'PaymentCreated',
  data,
  metadata,
});

/** It must do the job before its speed counts: a stale append is refused, a stream is read back. */
async function probe(pool: Pool, order: Order): Promise<string[]> {
  const first = message('probe', order);
  const position = await writeFirst(pool, first);
  const stale = await writeFirst(pool, { ...message('probe', order), stream: first.stream }).then(
    () => 'accepted',
    (error: unknown) => String(error),
  );
  const { rows } = await pool.query<{ id: string }>('SELECT id FROM get_stream_messages($1)', [
    first.stream,
  ]);
  return [
    ...(position === 0 ? [] : [`the peer: a first append is at ${position}`]),
    ...(stale.includes('Wrong expected version') ? [] : [`the peer: a stale append: ${stale}`]),
    ...(rows.length === 1 && rows[0]?.id === first.id
      ? []
      : ['the peer: a stream is not read back']),
  ];
}
