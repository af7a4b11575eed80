import type { Sql } from '@tender/eventing';
import type { Mode } from '@tender/kernel';

/** An event of a merchant's log: its place, and the bytes that the webhook carries too. */
export interface MerchantEventRow {
  readonly cursor: string;
  readonly body: string;
}

const SELECT = `
  select cursor::text as cursor, body from webhook_dispatcher.merchant_events
  where mode = $1 and merchant_id = $2 and cursor > $3 and ($4::text[] is null or event_type = any($4))
  order by merchant_events.cursor limit $5`;

export interface EventsWish {
  readonly mode: Mode;
  readonly merchant_id: string;
  readonly after: string | null;
  /** Null: all. */
  readonly types: readonly string[] | null;
  readonly limit: number;
}

/** Oldest first. Cursors become visible in their own order (`takeCursors`), so nothing is skipped. */
export function readMerchantEvents(sql: Sql, wish: EventsWish): Promise<MerchantEventRow[]> {
  const { mode, merchant_id, after, types, limit } = wish;
  return sql.query<MerchantEventRow>(SELECT, [mode, merchant_id, after ?? '0', types, limit]);
}

/** The answer's JSON text, with the stored bytes in it untouched. */
export function eventsJson(
  rows: readonly MerchantEventRow[],
  after: string | null,
  has_more: boolean,
): string {
  const data = rows.map(({ cursor, body }) => `{"cursor":"${cursor}","event":${body}}`);
  const next_cursor = JSON.stringify(rows.at(-1)?.cursor ?? after);
  return `{"data":[${data.join(',')}],"next_cursor":${next_cursor},"has_more":${has_more}}`;
}
