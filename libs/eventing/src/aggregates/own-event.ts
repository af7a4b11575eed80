import type { DomainEvent } from '../events/event';

/**
 * A stored event as one of the aggregate whose stream it is from. The store keeps any JSON; the streams of an
 * aggregate hold what its own decider wrote, and this is the one place that takes it for that. A later release may
 * have written a type that is not among them.
 */
export const ownEvent = <Event extends DomainEvent>(stored: DomainEvent): Event => stored as Event;

export const ownEvents = <Event extends DomainEvent>(
  stored: readonly DomainEvent[],
): readonly Event[] => stored as readonly Event[];
