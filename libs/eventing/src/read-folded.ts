import { idOf, type DomainEvent, type Position, type StreamName } from './event';
import { ownEvent } from './own-event';
import { Unavailable } from './failures';
import type { Runtime } from './runtime';

/** A table made by `foldedView`, for reading by id. */
export interface ReadableView<State, Event extends DomainEvent> {
  /** Qualified. */
  readonly table: string;
  readonly initial: State;
  readonly evolve: (state: State, event: Event) => State;
}

/**
 * One aggregate as it is now: its row, unless that is missing or older than what this caller must see;
 * then its stream (settled 22), as also where the tables are away. `initial` when there is neither.
 */
export async function readFolded<State, Event extends DomainEvent>(
  { eventStore, readModels }: Pick<Runtime, 'eventStore' | 'readModels'>,
  { table, initial, evolve }: ReadableView<State, Event>,
  stream: StreamName,
  min_position: Position | null,
): Promise<State> {
  const select = `select state, position from ${table} where id = $1`;
  const [row] = await readModels
    .query<{ state: State; position: Position }>(select, [idOf(stream)])
    .catch((error: unknown) => {
      // The log may be elsewhere, and have everything.
      if (error instanceof Unavailable) return [];
      throw error;
    });
  const is_old = row && min_position !== null && eventStore.isBefore(row.position, min_position);
  if (row && !is_old) return row.state;
  const events = await eventStore.load(stream);
  return events.reduce((state, event) => evolve(state, ownEvent<Event>(event)), initial);
}
