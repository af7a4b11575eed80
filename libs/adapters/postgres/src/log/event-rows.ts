import {
  rowSource,
  type Category,
  type NewEvent,
  type Position,
  type StoredEvent,
  type StreamName,
} from '@tender/eventing';

/** A caller that waits for its append, as the writer keeps it. */
export interface PendingAppend {
  readonly stream: StreamName;
  readonly category: Category;
  readonly events: readonly NewEvent[];
  /** JSON text of each event's data and metadata. */
  readonly data: readonly string[];
  readonly metadata: readonly string[];
  /** Revision of the first event. */
  readonly first: number;
  /** Wall time (ms) of the call. */
  readonly since_ms: number;
  /** The caller was answered that it takes too long; the outcome still counts for followers. */
  wait_ended: boolean;
  /** Position of the first event, once the append is in a batch. */
  position: number;
  accepted(events: readonly StoredEvent[]): void;
  /** Not inserted: the stream is elsewhere, or these events are there already. */
  refused(): void;
  failed(error: unknown): void;
  /** Ends the caller's wait, though not the append. */
  endWait(error: Error): void;
}

/** Schema `log`: `json` keeps the text as written, so that a stream's hashes can be checked for ever. */
export const LOG_SCHEMA = `
  create schema if not exists log;
  create table if not exists log.events (
    position bigint primary key,
    stream text collate "C" not null,
    category text collate "C" not null,
    revision int not null,
    id uuid not null,
    type text not null,
    data json not null,
    metadata json not null,
    constraint events_stream_revision unique (stream, revision)
  );
  create index if not exists events_category_position on log.events (category, position);
  -- A random key in a second tree cost a fifth of every append and kept nothing apart that the stream does not.
  -- Altering waits for every reader, so only where there is something to alter.
  do $$ begin
    if exists (select from pg_constraint
        where conrelid = 'log.events'::regclass and conname = 'events_id') then
      alter table log.events drop constraint events_id;
    end if;
  end $$;
`;

// One transaction writes at a time and a stream is in a batch once: what the statement sees is what holds.
export const FITS = `
  not exists (select 1 from log.events there where there.stream = fresh.stream and there.revision = fresh.first)
  and (fresh.first = 0 or exists (
    select 1 from log.events there where there.stream = fresh.stream and there.revision = fresh.first - 1))`;

export const ROWS = rowSource({
  position: 'bigint',
  stream: 'text',
  category: 'text',
  first: 'int',
  revision: 'int',
  id: 'uuid',
  type: 'text',
  data: 'json',
  metadata: 'json',
});

/** Checks and inserts many appends; answers with the positions that were taken. */
export const INSERT_BATCH = `
  with inserted as (
    insert into log.events (position, stream, category, revision, id, type, data, metadata)
    select position, stream, category, revision, id, type, data, metadata from ${ROWS.sql}
    where ${FITS}
    returning position)
  select string_agg(position::text, ',') as taken from inserted`;

/** The same for one event, without the wrapping. */
export const INSERT_ONE = {
  name: 'insert_one',
  text: `insert into log.events (position, stream, category, revision, id, type, data, metadata)
    select $1::bigint, fresh.stream, $3::text, fresh.first, $5::uuid, $6::text, $7::json, $8::json
    from (select $2::text as stream, $4::int as first) as fresh
    where ${FITS}`,
};

/** The columns are the fields, in their order: a row is the event. */
export const STORED_EVENT = 'type, data, metadata, stream, revision, position';

const SELECT_STREAM = {
  name: 'select_stream',
  text: `select ${STORED_EVENT} from log.events
    where stream = $1 order by revision`,
};

const SELECT_STREAMS = {
  name: 'select_streams',
  text: `select ${STORED_EVENT} from log.events
    where stream = any($1) order by stream, revision`,
};

/** All events of these streams, those of each oldest first. */
export function selectStreams(streams: readonly StreamName[]) {
  const [only, ...others] = streams;
  return others.length === 0
    ? { ...SELECT_STREAM, values: [only] }
    : { ...SELECT_STREAMS, values: [streams] };
}

export const SELECT_NEWEST = 'select coalesce(max(position), 0)::text as newest from log.events';

/** Counts no further than it must; the oldest one tells how long they wait. */
export const SELECT_LAG = `
  with waiting as (
    select page.position from unnest($1::text[]) as wanted (category) cross join lateral (
      select position from log.events
      where events.category = wanted.category and position > $2 order by position limit $3) as page
    order by page.position limit $3)
  select count(*)::int as events, (
    select metadata->>'recorded_at' from log.events
    where position = (select min(position) from waiting)) as oldest
  from waiting`;

const FOLDED_EVENT = 'type, data, stream, revision, position';

/** One index range, which comes in its order: rows are read while the next ones are found. */
const afterInOne = (columns: string): string => `
  select ${columns} from log.events
  where category = $1 and position > $2 and position <= $3 order by position limit $4`;

/** One index range per category, merged. */
const afterInEach = (columns: string): string => `
  select page.* from unnest($1::text[]) as wanted (category) cross join lateral (
    select ${columns} from log.events
    where events.category = wanted.category and position > $2 and position <= $3
    order by position limit $4) as page
  order by page.position limit $4`;

const SELECT_AFTER = {
  one: { name: 'select_after_in_one', text: afterInOne(STORED_EVENT) },
  each: { text: afterInEach(STORED_EVENT) },
};
const SELECT_FOLDED = {
  one: { name: 'select_folded_in_one', text: afterInOne(FOLDED_EVENT) },
  each: { text: afterInEach(FOLDED_EVENT) },
};

/**
 * Events of these categories with `after` < position ≤ `until`, oldest first, at most `limit`; with `folded`, what a
 * fold takes of them.
 */
export function selectAfter(
  categories: readonly Category[],
  after: Position | number,
  until: Position | number,
  limit: number,
  { folded = false } = {},
): { readonly name?: string; readonly text: string; readonly values: unknown[] } {
  const [only, ...others] = categories;
  const range = [after, until, limit];
  const select = folded ? SELECT_FOLDED : SELECT_AFTER;
  return others.length === 0
    ? { ...select.one, values: [only, ...range] }
    : { ...select.each, values: [categories, ...range] };
}

/** Values of `ROWS`. */
export function batchRows(appends: readonly PendingAppend[]): unknown[][] {
  const rows = appends.flatMap(({ position, stream, category, first, events, data, metadata }) =>
    events.map((event, index) => ({
      ...{ position: position + index, stream, category, first, revision: first + index },
      ...{ id: event.metadata.id, type: event.type, data: data[index], metadata: metadata[index] },
    })),
  );
  return ROWS.valuesOf(rows);
}

export function oneRow(append: PendingAppend): unknown[] {
  const { type, metadata } = append.events[0] as NewEvent;
  const { position, stream, category, first } = append;
  return [position, stream, category, first, metadata.id, type, append.data[0], append.metadata[0]];
}

/** As a reader will find them. */
export function storedEvents(append: PendingAppend): readonly StoredEvent[] {
  return append.events.map(({ type, data, metadata }, index) => ({
    type,
    data,
    metadata,
    stream: append.stream,
    revision: append.first + index,
    position: String(append.position + index),
  }));
}
