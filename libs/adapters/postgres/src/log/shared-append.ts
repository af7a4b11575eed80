import type { Client } from 'pg';
import { ask } from '../connections/ask';
import { preparedStatement } from '../connections/prepared-statement';
import { batchRows, FITS, ROWS, type PendingAppend } from './event-rows';
import { APPEND_LOCK, LOCK_CLASS } from './log-locks';

export const LOG_CHANNEL = 'tender_log';

/**
 * One call per batch, in a transaction of its own: the lock comes first and lasts until the commit is seen by
 * all, so positions commit in their order whatever process they come from (ADR 0001). A caller that is
 * killed leaves no transaction open.
 */
export const SHARED_LOG_SCHEMA = `
  create or replace function log.append(
    bigint[], text[], text[], int[], int[], uuid[], text[], json[], json[],
    out newest bigint, out taken text)
  language plpgsql as $append$
  declare
    added int;
    categories text;
  begin
    perform pg_advisory_xact_lock(${LOCK_CLASS}, ${APPEND_LOCK});
    select coalesce(max(position), 0) into newest from log.events;
    with fits as (
      select fresh.*, newest + row_number() over (order by position) as place from ${ROWS.sql}
      where ${FITS}),
    inserted as (
      insert into log.events (position, stream, category, revision, id, type, data, metadata)
      select place, stream, category, revision, id, type, data, metadata from fits)
    select count(*), string_agg(position::text, ','), string_agg(distinct category, ',')
      into added, taken, categories from fits;
    if added > 0 then
      perform pg_notify('${LOG_CHANNEL}', newest || ' ' || newest + added || ' ' || left(categories, 7000));
    end if;
  end $append$;
  -- Gone after a crash of the server, and so is every process that is named in it.
  create unlogged table if not exists log.sharers (
    sharer int primary key,
    open_since_ms bigint not null,
    beat_at timestamptz not null
  );
`;

const APPEND = `select newest, taken from log.append(${ROWS.parameters})`;

/** For one of several processes that write a log: positions are given out by the database. */
export async function appendShared(
  committer: Client,
  appends: readonly PendingAppend[],
): Promise<(append: PendingAppend) => boolean> {
  let place = 1;
  for (const append of appends) {
    append.position = place;
    place += append.events.length;
  }
  const { rows } = await ask<{ newest: string; taken: string | null }>(
    committer,
    preparedStatement(APPEND, batchRows(appends)),
  );
  const places = new Set((rows[0]?.taken ?? '').split(','));
  const taken = new Set(appends.filter(({ position }) => places.has(String(position))));
  let position = Number(rows[0]?.newest) + 1;
  for (const append of taken) {
    append.position = position;
    position += append.events.length;
  }
  return (append) => taken.has(append);
}

/** What one of the processes has committed: positions after `after` up to `until`, in these categories. */
export interface Notice {
  readonly after: number;
  readonly until: number;
  readonly categories: readonly string[];
}

export function noticeOf(payload: string): Notice {
  const [after, until, categories = ''] = payload.split(' ');
  return { after: Number(after), until: Number(until), categories: categories.split(',') };
}
