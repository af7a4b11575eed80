import { withClient } from '../machine/postgres';

/**
 * Appends copies of the newest subscription, which is in its trial, to the log of a program that is stopped. The trial
 * of each ends so many seconds after that of the one before. Followers work them off when the program starts.
 */
export async function bulkSubscriptions(
  connection_string: string,
  count: number,
  apart_s: number,
): Promise<void> {
  await withClient(connection_string, async (client) => {
    await client.query(
      `with newest as (
          select data::jsonb as data, metadata::jsonb as metadata from log.events
          where type = 'SubscriptionCreated' order by position desc limit 1),
        numbered as (
          select n, gen_random_uuid() as event_id, 'sub_test_' || lpad(n::text, 22, '0') as id,
            to_jsonb(to_char(((data->'calendar'->>'end')::timestamptz + n * $2::float8 * interval '1 second')
              at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) as ends_at
          from newest, generate_series(1, $1::int) as n)
        insert into log.events (position, stream, category, revision, id, type, data, metadata)
        select (select max(position) from log.events) + n, 'subscription.test-' || numbered.id,
          'subscription.test', 0, event_id, 'SubscriptionCreated',
          data || jsonb_build_object(
            'terms', data->'terms' || jsonb_build_object('subscription_id', numbered.id, 'trial_end', ends_at),
            'calendar', data->'calendar' || jsonb_build_object('anchor', ends_at, 'end', ends_at),
            'after', data->'after' || jsonb_build_object('current_period_end', ends_at, 'next_payment_attempt', ends_at)),
          metadata || jsonb_build_object('id', event_id)
        from newest, numbered`,
      [count, apart_s],
    );
    await client.query('vacuum analyze log.events');
    await client.query('checkpoint');
  });
}

/** Subscriptions that GET can show, and timers see. */
export const countSubscriptions = (connection_string: string): Promise<number> =>
  withClient(connection_string, async (client) => {
    const { rows } = await client.query<{ count: string }>(
      'select count(*) from billing.subscriptions',
    );
    return Number(rows[0]?.count);
  });
