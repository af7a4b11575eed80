import type { Publication } from '../ports/bus';
import type { DomainEvent, StoredEvent } from '../events/event';
import { ownEvent } from '../aggregates/own-event';

/** A public event as `contracts` declares it: its type, and the class of what it tells. */
export interface PublicFact<Data extends object = object> {
  readonly type: string;
  readonly data: new () => Data;
}

/** How one private event becomes a fact. */
export interface Telling<Event extends DomainEvent> {
  readonly type: string;
  readonly render: (event: Event) => object;
}

export const tells = <Event extends DomainEvent, Data extends object>(
  { type }: PublicFact<Data>,
  render: (event: Event) => NoInfer<Data>,
): Telling<Event> => ({ type, render });

/** Every private event of a context: told as a fact, or kept. One that is missing does not compile. */
export type Publications<Event extends DomainEvent> = {
  readonly [Type in Event['type']]:
    | 'private'
    | Telling<Extract<Event, { readonly type: Type }>>;
};

/**
 * What a context says of its private events, from each event alone. Types of a later release stay private.
 * `merchantOf`: whom a fact concerns, where that is not the merchant of the event's metadata.
 */
export function publications<Event extends DomainEvent>(
  tellings: Publications<Event>,
  merchantOf?: (event: Event) => string | null,
): (stored: StoredEvent) => Publication | null {
  const by_type = new Map<string, 'private' | Telling<Event>>(Object.entries(tellings));
  return (stored) => {
    const telling = by_type.get(stored.type) ?? 'private';
    if (telling === 'private') return null;
    const event = ownEvent<Event>(stored);
    const { type, render } = telling;
    const data = render(event);
    return merchantOf ? { type, data, merchant_id: merchantOf(event) } : { type, data };
  };
}
