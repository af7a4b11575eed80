import { idOf, type DomainEvent, type Position, type StreamName } from '../events/event';
import { Unavailable } from '../ports/failures';
import type { Runtime } from '../runtime';
import type { Folding } from './folded-view';
import { ownEvent } from './own-event';

/** A table made by `foldedView`, for reading by id. */
export interface ReadableView<State, Event extends DomainEvent> {
  /** Qualified. */
  readonly table: string;
  readonly decider: Folding<State, Event>;
}

/**
 * One aggregate as it is now: its row, unless that is missing or older than what this caller must see;
 * then its stream (P4), as also where the tables are away. `initial` when there is neither.
 */
export async function readFolded<State, Event extends DomainEvent>(
  { eventStore, readModels }: Pick<Runtime, 'eventStore' | 'readModels'>,
  { table, decider }: ReadableView<State, Event>,
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
  return readStream(eventStore, decider, stream);
}

/** An aggregate folded from all its events; `initial` where there are none. */
export async function readStream<State, Event extends DomainEvent>(
  eventStore: Pick<Runtime['eventStore'], 'load'>,
  { initial, evolve }: Folding<State, Event>,
  stream: StreamName,
): Promise<State> {
  const events = await eventStore.load(stream);
  return events.reduce((state, event) => evolve(state, ownEvent<Event>(event)), initial);
}
