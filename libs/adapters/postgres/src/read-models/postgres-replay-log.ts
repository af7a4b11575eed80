import { Pool } from 'pg';
import {
  LAG_EVENTS_MAX,
  type Category,
  type FoldedEvent,
  type Lag,
  type Log,
  type Position,
  type ReplayLog,
  type StoredEvent,
} from '@tender/eventing';
import { namedFailure } from '../connections/database-failures';
import { selectAfter, selectStreams } from '../log/event-rows';
import { GatheredLoads } from '../log/gathered-loads';
import { readJsonColumns } from '../connections/json-columns';
import { LOCK_CLASS, WRITER_LOCK } from '../log/log-locks';

const READERS_MAX = 2;
/** Batches. */
const READ_AHEAD = 4;
/** An append is over, one way or the other, long before it is this old. */
const OPEN_APPEND_S = 10;

// A committer that is slower than its neighbour leaves a hole for a moment, and only the writer knows which holes
// stay. Without a writer all is final; with one, everything before an event that is old enough.
const FINAL = `
  select case when exists (
      select 1 from pg_locks where locktype = 'advisory' and classid = ${LOCK_CLASS}
        and objid = ${WRITER_LOCK} and granted
        and database = (select oid from pg_database where datname = current_database()))
    then (select position from log.events
      where (metadata->>'recorded_at')::timestamptz < now() - interval '${OPEN_APPEND_S} seconds'
      order by position desc limit 1)
    else (select max(position) from log.events) end as position`;

const COUNT = `select count(*)::float8 as events from log.events
  where category = any($1) and position > $2 and position <= $3`;

const UNREAD = `
  select count(*)::int as events, extract(epoch from now() - (
      select (metadata->>'recorded_at')::timestamptz from log.events
      where position = min(unread.position)))::float8 as seconds
  from (
    select page.position from unnest($1::text[]) as wanted (category) cross join lateral (
      select position from log.events
      where events.category = wanted.category and position > $2 order by position limit $3) as page
    order by page.position limit $3) as unread`;

/** The log in Postgres for the command line: it reads while programs write. */
export function postgresReplayLog(options: {
  readonly connectionString: string;
  readonly log: Log;
}): ReplayLog {
  readJsonColumns();
  const pool = new Pool({
    connectionString: options.connectionString,
    application_name: 'tender log replay',
    max: READERS_MAX,
    connectionTimeoutMillis: 30_000,
    options: '-c enable_seqscan=off -c jit=off',
  });
  pool.on('error', (error) => options.log.warn({ err: error }, 'a log reader lost its connection'));

  const loads = new GatheredLoads((streams) => rows<StoredEvent>(selectStreams(streams)));

  return {
    isBefore: (position, other) => Number(position) < Number(other),
    load: (stream) => loads.load(stream),
    batches: (...range) => batches<StoredEvent>({ folded: false }, ...range),
    foldedBatches: (...range) => batches<FoldedEvent>({ folded: true }, ...range),
    lag,
    async count(categories, from, until) {
      const end = until ?? (await final());
      const values = [[...categories], from ?? 0, end];
      return (await rows<{ events: number }>({ text: COUNT, values }))[0]?.events ?? 0;
    },
    close: () => pool.end(),
  };

  async function* batches<Event extends FoldedEvent>(
    what: { readonly folded: boolean },
    categories: readonly Category[],
    from: Position | null,
    until: Position | null,
    batch_max: number,
  ): AsyncGenerator<readonly Event[]> {
    const end = until ?? (await final());
    const read = (after: Position | null): Promise<readonly Event[]> =>
      rows<Event>(selectAfter(categories, after ?? 0, end, batch_max, what));
    let newest = read(from);
    const ahead = [newest];
    const readAhead = (): void => {
      newest = newest.then((batch) =>
        batch.length < batch_max ? [] : read((batch.at(-1) as Event).position),
      );
      newest.catch(() => undefined);
      ahead.push(newest);
    };
    // The next ones are read while rows are written.
    while (ahead.length < READ_AHEAD) readAhead();
    for (;;) {
      const batch = (await ahead.shift()) ?? [];
      if (batch.length === 0) return;
      readAhead();
      yield batch;
    }
  }

  async function lag(categories: readonly Category[], from: Position | null): Promise<Lag> {
    const values = [[...categories], from ?? 0, LAG_EVENTS_MAX + 1];
    const [row] = await rows<{ events: number; seconds: number | null }>({ text: UNREAD, values });
    const events = row?.events ?? 0;
    return {
      events: Math.min(events, LAG_EVENTS_MAX),
      capped: events > LAG_EVENTS_MAX,
      seconds: Math.max(0, row?.seconds ?? 0),
    };
  }

  async function final(): Promise<Position> {
    return (await rows<{ position: Position | null }>({ text: FINAL }))[0]?.position ?? '0';
  }

  async function rows<Row>(query: { readonly text: string; readonly values?: unknown[] }) {
    try {
      return (await pool.query(query)).rows as Row[];
    } catch (error) {
      throw namedFailure('event log', error);
    }
  }
}
