import { withClient } from '../machine/postgres';

/**
 * Appends copies of the newest payment to the log of a program that is stopped, each with an id and a
 * reference of its own and an expiry that never comes. Its followers work them off when it starts.
 */
export async function bulkPayments(connection_string: string, count: number): Promise<void> {
  await withClient(connection_string, async (client) => {
    await client.query(
      `with newest as (
          select position, data::jsonb as data, metadata::jsonb as metadata from log.events
          where type = 'PaymentCreated' order by position desc limit 1),
        numbered as (
          select n, 'pay_test_' || lpad(n::text, 22, '0') as id,
            -- Digits that base58 does not have are letters that it has.
            translate(lpad(n::text, 9, '0'), '0123456789', 'ABCDEFGHJK') as mark
          from generate_series(1, $1::int) as n)
        insert into log.events (position, stream, category, revision, id, type, data, metadata)
        select (select max(position) from log.events) + n, 'payment.test-' || numbered.id, 'payment.test', 0,
          gen_random_uuid(), 'PaymentCreated',
          jsonb_set(data, '{terms}', data->'terms' || jsonb_build_object(
            'payment_id', numbered.id, 'expires_at', '2099-01-01T00:00:00.000Z',
            'reference', left(data->'terms'->>'reference', -9) || mark)),
          metadata || jsonb_build_object('id', gen_random_uuid())
        from newest, numbered`,
      [count],
    );
    await client.query('vacuum analyze log.events');
    await client.query('checkpoint');
  });
}

/** Payments that GET and the lists can show. */
export const countDetails = (connection_string: string): Promise<number> =>
  withClient(connection_string, async (client) => {
    const { rows } = await client.query<{ count: string }>(
      'select count(*) from payments.payment_details',
    );
    return Number(rows[0]?.count);
  });
