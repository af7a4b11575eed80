import { idOf, type DomainEvent, type StoredEvent, type StreamName } from './event';
import type { Projection } from './context';
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
  return { name, table, nouns: [options.noun], modes, apply };

  async function apply(events: readonly StoredEvent[], tx: Sql, into: string): Promise<void> {
    const folded = await knownStates(events, tx, into);
    const newest = new Map<StreamName, StoredEvent<Event>>();
    for (const event of events as readonly StoredEvent<Event>[]) {
      const state = options.evolve(
        folded.get(event.stream) ?? options.initial,
        event as unknown as Event,
      );
      folded.set(event.stream, state);
      newest.set(event.stream, event);
    }
    const rows = [...newest].map(([stream, event]) => {
      const state = folded.get(stream) as State;
      return {
        id: idOf(stream),
        state: JSON.stringify(toJson(state)),
        position: event.position,
        ...options.rowOf(state, event),
      };
    });
    await tx.query(upsert(into), source.valuesOf(rows));
  }

  async function knownStates(events: readonly StoredEvent[], tx: Sql, into: string) {
    const begun = new Set(
      events.filter((event) => event.revision === 0).map((event) => event.stream),
    );
    const streams = new Map(
      events.filter(({ stream }) => !begun.has(stream)).map(({ stream }) => [idOf(stream), stream]),
    );
    if (streams.size === 0) return new Map<StreamName, State>();
    const rows = await tx.query<{ id: string; state: unknown }>(
      `select id, state from ${into} where id = any($1)`,
      [[...streams.keys()]],
    );
    return new Map(rows.map((row) => [streams.get(row.id) as StreamName, fromJson(row.state)]));
  }
}
