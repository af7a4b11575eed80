import { idOf, type DomainEvent, type StoredEvent, type StreamName } from './event';
import type { Fold, Projection } from './context';
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
    const states = new Map<StreamName, State>();
    const newest = new Map<StreamName, StoredEvent<Event>>();
    return {
      async add(events) {
        await addKnownStates(events);
        for (const event of events as readonly StoredEvent<Event>[]) {
          const { stream } = event;
          const before = states.get(stream) ?? options.initial;
          states.set(stream, options.evolve(before, event as unknown as Event));
          newest.set(stream, event);
        }
      },
      async write() {
        if (newest.size > 0) await tx.query(upsert(into), source.valuesOf(rowsOf(newest, states)));
      },
    };

    /** Of streams that began before the first batch, from their rows. */
    async function addKnownStates(events: readonly StoredEvent[]): Promise<void> {
      const begun = new Set<StreamName>();
      const missing = new Map<string, StreamName>();
      for (const { stream, revision } of events) {
        if (revision === 0) begun.add(stream);
        else if (!begun.has(stream) && !states.has(stream)) missing.set(idOf(stream), stream);
      }
      if (missing.size === 0) return;
      const rows = await tx.query<{ id: string; state: unknown }>(
        `select id, state from ${into} where id = any($1)`,
        [[...missing.keys()]],
      );
      for (const row of rows) states.set(missing.get(row.id) as StreamName, fromJson(row.state));
    }
  }

  function rowsOf(
    newest: ReadonlyMap<StreamName, StoredEvent<Event>>,
    states: ReadonlyMap<StreamName, State>,
  ): Record<string, unknown>[] {
    return [...newest].map(([stream, event]) => {
      const state = states.get(stream) as State;
      return {
        id: idOf(stream),
        state: JSON.stringify(toJson(state)),
        position: event.position,
        ...options.rowOf(state, event),
      };
    });
  }
}
