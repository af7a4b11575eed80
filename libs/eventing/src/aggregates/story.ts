import type { Asker, Sentence } from '@tender/kernel';
import type { StoredEvent } from '../events/event';

/** One sentence of an object's story, and its business time. */
export interface Step {
  readonly at: string;
  readonly what: string;
  readonly because: string | null;
  readonly transaction_signature: string | null;
  readonly slot: number | null;
  readonly verdict: string | null;
}

type Says = Readonly<Record<string, (event: never, asker: Asker) => Sentence>>;

/** What these events say, in order. */
export function storyOf(events: readonly StoredEvent[], says: Says): readonly Step[] {
  return events.flatMap((event) => {
    const sentence = Object.hasOwn(says, event.type) ? says[event.type] : undefined;
    if (!sentence) return [];
    const { actor, occurred_at } = event.metadata;
    return [stepOf(occurred_at, sentence(event as never, { actor }))];
  });
}

/** Each field, null where the sentence has none. */
export const stepOf = (at: string, sentence: Sentence): Step => ({
  at,
  ...{ transaction_signature: null, slot: null, verdict: null },
  ...sentence,
});
