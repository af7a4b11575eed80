import { idOf, type DomainEvent, type StoredEvent, type StreamName } from './event';
import type { Fold, Projection } from './context';
import { ownEvent } from './own-event';
import type { Sql } from './read-models';
import { rowSource } from './row-source';

export interface FoldedViewOptions<State, Event extends DomainEvent> {
  readonly name: string;
  readonly noun: string;
  readonly modes: Projection['modes'];
  /** Qualified view with the columns `id`, `state json`, `position text` and those of `columns`. */
  readonly table: string;
  readonly initial: State;
  readonly evolve: (state: State, event: Event) => State;
  /** Column name → SQL type, filled from `rowOf`, for lists and look-ups. */
  readonly columns: Readonly<Record<string, string>>;
  readonly rowOf: (state: State, event: StoredEvent<Event>) => Record<string, unknown>;
  /** Bigints and the like: how the state is kept as JSON. */
  readonly toJson?: (state: State) => unknown;
  readonly fromJson?: (json: unknown) => State;
}

/**
 * A table with one row per stream: the folded aggregate, and columns to find it by. The same fold as
 * the decider's, so a GET by id renders alike from the row and from the stream (settled 22).
 */
export function foldedView<State, Event extends DomainEvent>(
  options: FoldedViewOptions<State, Event>,
): Projection {
  const toJson = options.toJson ?? ((state: State): unknown => state);
  const fromJson = options.fromJson ?? ((json: unknown) => json as State);
  const kept = { state: 'json', position: 'text', ...options.columns };
  const source = rowSource<string>({ id: 'text', ...kept });
  const upsert = (table: string): string => `insert into ${table} (${source.columns})
    select * from ${source.sql}
    on conflict (id) do update set ${Object.keys(kept)
      .map((name) => `${name} = excluded.${name}`)
      .join(', ')}`;

  const { name, table, modes } = options;
  return { name, table, nouns: [options.noun], modes, fold, apply };

  async function apply(events: readonly StoredEvent[], tx: Sql, into: string): Promise<void> {
    const batch = fold(tx, into);
    await batch.add(events);
    await batch.write();
  }

  function fold(tx: Sql, into: string): Fold {
    const folded = new Map<StreamName, Folded<State, Event>>();
    return {
      async add(events) {
        const began_earlier: StreamName[] = [];
        for (const { stream, revision } of events) {
          if (folded.has(stream)) continue;
          folded.set(stream, { state: options.initial, newest: null });
          if (revision > 0) began_earlier.push(stream);
        }
        if (began_earlier.length > 0) await takeStates(began_earlier);
        for (const event of events as readonly StoredEvent<Event>[]) {
          const row = folded.get(event.stream) as Folded<State, Event>;
          row.state = options.evolve(row.state, ownEvent<Event>(event));
          row.newest = event;
        }
      },
      async write() {
        if (folded.size > 0) await tx.query(upsert(into), source.valuesOf(rowsOf(folded)));
      },
    };

    async function takeStates(streams: readonly StreamName[]): Promise<void> {
      const by_id = new Map(streams.map((stream) => [idOf(stream), stream]));
      const rows = await tx.query<{ id: string; state: unknown }>(
        `select id, state from ${into} where id = any($1)`,
        [[...by_id.keys()]],
      );
      for (const { id, state } of rows) {
        folded.set(by_id.get(id) as StreamName, { state: fromJson(state), newest: null });
      }
    }
  }

  function rowsOf(folded: ReadonlyMap<StreamName, Folded<State, Event>>) {
    return [...folded].map(([stream, { state, newest }]) => {
      const event = newest as StoredEvent<Event>;
      return {
        id: idOf(stream),
        state: JSON.stringify(toJson(state)),
        position: event.position,
        ...options.rowOf(state, event),
      };
    });
  }
}

interface Folded<State, Event extends DomainEvent> {
  state: State;
  /** Of the events that are folded here. */
  newest: StoredEvent<Event> | null;
}
