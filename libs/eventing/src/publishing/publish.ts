import { hash } from 'node:crypto';
import { uuidOf } from '@tender/kernel';
import type { PublicEvent } from '../ports/bus';
import type { Context } from '../context';
import { categoryOf, modeOf, type Category, type StoredEvent } from '../events/event';

/** What the bus needs to know of a context. */
export type Publishing = Pick<Context, 'name' | 'schema' | 'publishes'>;

/** The public event of a private one, or null. Asks the context once per stored event. */
export type Publisher = (event: StoredEvent) => PublicEvent | null;

export function publisherOf(contexts: readonly Publishing[]): Publisher {
  const publishOf = new Map<Category, Publishing['publishes']['publish']>();
  for (const { publishes } of contexts) {
    for (const category of publishes.categories) publishOf.set(category, publishes.publish);
  }
  // On the event itself: what an old WeakMap holds outlives the young collections, though its key is gone.
  const published = Symbol('the public event');

  return (event: StoredEvent & { readonly [published]?: PublicEvent | null }) => {
    const known = event[published];
    if (known !== undefined) return known;
    const publication = publishOf.get(categoryOf(event.stream))?.(event) ?? null;
    const fact = publication && publicEvent(event, publication);
    Object.defineProperty(event, published, { value: fact });
    return fact;
  };
}

type Published = NonNullable<ReturnType<Publishing['publishes']['publish']>>;

function publicEvent(event: StoredEvent, publication: Published): PublicEvent {
  const { metadata } = event;
  return {
    type: publication.type,
    id: publicId(metadata.id),
    mode: modeOf(event.stream),
    key: event.stream,
    sequence: event.revision,
    merchant_id:
      publication.merchant_id === undefined ? metadata.merchant_id : publication.merchant_id,
    correlation_id: metadata.correlation_id,
    causation_id: metadata.id,
    occurred_at: metadata.occurred_at,
    recorded_at: metadata.recorded_at,
    data: publication.data,
  };
}

/** The same on every delivery, in every process, and no private event's id. */
const publicId = (private_id: string): string =>
  uuidOf(hash('sha256', `public:${private_id}`, 'buffer'));
