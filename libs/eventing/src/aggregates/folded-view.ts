import {
  idOf,
  modeOf,
  type DomainEvent,
  type FoldedEvent,
  type Position,
  type StoredEvent,
  type StreamMode,
  type StreamName,
} from '../events/event';
import type { EventStore } from '../ports/event-store';
import { Unavailable } from '../ports/failures';
import type { ReadModels, Sql } from '../ports/read-models';
import { projectionFollower } from '../projections/generations';
import type { Fold, Projection } from '../projections/projection';
import { rowSource } from '../projections/row-source';
import type { Folding } from './folding';
import { isKnown, type Known } from './known';
import { ownEvent } from './own-event';
import { readStream } from './read-stream';

/** SQL type of a column, and what stands in it. */
export type ColumnOf<State> = readonly [
  sql_type: string,
  of: (state: State, mode: StreamMode) => unknown,
];

export interface FoldedViewOptions<State, Event extends DomainEvent> {
  readonly name: string;
  readonly noun: string;
  readonly modes: Projection['modes'];
  /** Qualified view with the columns `id`, `state json`, `position text` and those of `columns`. */
  readonly table: string;
  readonly decider: Folding<State, Event>;
  /** For lists and look-ups. */
  readonly columns: Columns<State>;
}

interface Stores {
  readonly eventStore: EventStore;
  readonly readModels: ReadModels;
}

export type Columns<State> = Readonly<Record<string, ColumnOf<Known<State>>>>;

/** A projection that is read and listed by what stands in its rows. */
export interface FoldedView<State = unknown> extends Projection {
  readonly schema: string;
  readonly columns: Columns<State>;
  /** The name of the checkpoint that tells how far the rows are. */
  follower(mode: StreamMode): string;
  /**
   * One aggregate as it is now: its row, unless that is missing or older than what this caller must see;
   * then its stream (P4), as also where the tables are away. Null when there is neither.
   */
  read(
    runtime: Stores,
    stream: StreamName,
    min_position: Position | null,
  ): Promise<State | null>;
}

/**
 * A table with one row per stream: the folded aggregate, and columns to find it by. The same fold as
 * the decider's, so a GET by id renders alike from the row and from the stream (P4). A stream that begins with
 * what only a later release knows has no row.
 */
export function foldedView<State, Event extends DomainEvent>(
  options: FoldedViewOptions<State, Event>,
): FoldedView<State> {
  const { name, table, modes, decider } = options;
  const columns = Object.entries(options.columns);
  const types = columns.map(([column, [sql_type]]) => [column, sql_type] as const);
  const kept = { state: 'json', position: 'text', ...Object.fromEntries(types) };
  const source = rowSource<string>({ id: 'text', ...kept });
  const upsert = (into: string): string => `insert into ${into} (${source.columns})
    select * from ${source.sql}
    on conflict (id) do update set ${Object.keys(kept)
      .map((column) => `${column} = excluded.${column}`)
      .join(', ')}`;

  return {
    ...{ name, table, nouns: [options.noun], modes, fold, apply },
    schema: table.slice(0, table.indexOf('.')),
    columns: options.columns,
    follower: (mode) => projectionFollower(name, mode),
    read,
  };

  async function read(
    { eventStore, readModels }: Stores,
    stream: StreamName,
    min_position: Position | null,
  ): Promise<State | null> {
    const select = `select state, position from ${table} where id = $1`;
    const [row] = await readModels
      .query<{ state: State; position: Position }>(select, [idOf(stream)])
      .catch((error: unknown) => {
        // The log may be elsewhere, and have everything.
        if (error instanceof Unavailable) return [];
        throw error;
      });
    const is_old = row && min_position !== null && eventStore.isBefore(row.position, min_position);
    return row && !is_old ? row.state : readStream(eventStore, decider, stream);
  }

  async function apply(events: readonly StoredEvent[], tx: Sql, into: string): Promise<void> {
    const batch = fold(tx, into);
    await batch.add(events);
    await batch.write();
  }

  function fold(tx: Sql, into: string): Fold {
    const folded = new Map<StreamName, Folded<State>>();
    return {
      async add(events) {
        const began_earlier: StreamName[] = [];
        for (const { stream, revision } of events) {
          if (folded.has(stream)) continue;
          folded.set(stream, { state: decider.initial, newest: null });
          if (revision > 0) began_earlier.push(stream);
        }
        if (began_earlier.length > 0) await takeStates(began_earlier);
        for (const event of events) {
          const row = folded.get(event.stream) as Folded<State>;
          row.state = decider.evolve(row.state, ownEvent<Event>(event));
          row.newest = event;
        }
      },
      async write() {
        const rows = rowsOf(folded);
        if (rows.length > 0) await tx.query(upsert(into), source.valuesOf(rows));
      },
    };

    async function takeStates(streams: readonly StreamName[]): Promise<void> {
      const by_id = new Map(streams.map((stream) => [idOf(stream), stream]));
      const rows = await tx.query<{ id: string; state: State }>(
        `select id, state from ${into} where id = any($1)`,
        [[...by_id.keys()]],
      );
      for (const { id, state } of rows) {
        folded.set(by_id.get(id) as StreamName, { state, newest: null });
      }
    }
  }

  function rowsOf(folded: ReadonlyMap<StreamName, Folded<State>>) {
    return [...folded].flatMap(([stream, { state, newest }]) => {
      if (!isKnown(state)) return [];
      const event = newest as FoldedEvent;
      const mode = modeOf(stream);
      return {
        id: idOf(stream),
        state: JSON.stringify(state),
        position: event.position,
        ...Object.fromEntries(columns.map(([column, [, of]]) => [column, of(state, mode)])),
      };
    });
  }
}

interface Folded<State> {
  state: State;
  /** Of the events that are folded here. */
  newest: FoldedEvent | null;
}
