import type { DomainEvent, StreamName } from '../events/event';
import type { EventStore } from '../ports/event-store';
import type { Folding } from './folding';
import { ownEvent } from './own-event';

/** An aggregate folded from all its events; null where there are none. */
export async function readStream<State, Event extends DomainEvent>(
  eventStore: Pick<EventStore, 'load'>,
  { initial, evolve }: Folding<State, Event>,
  stream: StreamName,
): Promise<State | null> {
  const events = await eventStore.load(stream);
  if (events.length === 0) return null;
  return events.reduce((state, event) => evolve(state, ownEvent<Event>(event)), initial);
}
