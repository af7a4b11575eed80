import { randomUUID } from 'node:crypto';
import { Pool } from 'pg';
import { answerOrders } from '../answer-orders';
import { INSERT_EVENT } from './tables';

interface Order {
  readonly connection_string: string;
  readonly pool: number;
  readonly writers: number;
  readonly warmup_ms: number;
  readonly timed_ms: number;
  readonly data: string;
}

// Writers that each wait for their own prepared INSERT before the next one.
answerOrders(insertAll);

async function insertAll(order: Order) {
  const pool = new Pool({ connectionString: order.connection_string, max: order.pool });
  const from = performance.now() + order.warmup_ms;
  const until = from + order.timed_ms;
  let accepted = 0;
  let timed = 0;
  await Promise.all(
    Array.from({ length: order.writers }, async () => {
      while (performance.now() < until) {
        const values = [`bench-${randomUUID()}`, 'PaymentCreated', order.data];
        await pool.query({ ...INSERT_EVENT, values });
        accepted += 1;
        const now = performance.now();
        if (now >= from && now <= until) timed += 1;
      }
    }),
  );
  await pool.end();
  return { accepted, per_s: timed / (order.timed_ms / 1000) };
}
