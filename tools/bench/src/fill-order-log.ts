import { randomUUID } from 'node:crypto';
import { SAMPLE_DATA, SAMPLE_METADATA } from './scenarios/sample-event';
import { withClient } from './machine/postgres';

const TYPES = ['OrderMade', 'OrderPaid', 'OrderSettled'];
/** Orders that are made between one event of an order and its next. */
const BETWEEN = 1_000;
const CREATED_AT = '2026-01-01T00:00:00.000Z';

/** A log of orders, three events each, made by the database at once. */
export async function fillOrderLog(connection_string: string, orders: number): Promise<void> {
  const data = { terms: { ...SAMPLE_DATA, merchant_id: randomUUID(), created_at: CREATED_AT } };
  await withClient(connection_string, async (client) => {
    await client.query(
      `insert into log.events (position, stream, category, revision, id, type, data, metadata)
        select (n + step * ${BETWEEN}) * 3 + step, 'order.test-' || lpad(n::text, 12, '0'), 'order.test',
          step, gen_random_uuid(), ($1::text[])[step + 1], $2::json, $3::json
        from generate_series(1, $4::int) as n, generate_series(0, 2) as step`,
      [TYPES, JSON.stringify(data), JSON.stringify(SAMPLE_METADATA), orders],
    );
    await client.query('vacuum analyze log.events');
    await client.query('checkpoint');
  });
}
