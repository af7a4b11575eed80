/** What one event says to a person who asks why. */
export interface Sentence {
  readonly what: string;
  /** What led to it; null where nothing more is known. */
  readonly because: string | null;
  /** Where the chain did it. */
  readonly transaction_signature?: string;
  readonly slot?: number;
  /** What the transaction was judged to be. */
  readonly verdict?: string;
}

/** What asked for an event, as its metadata keeps it. */
export interface Asker {
  readonly actor: string;
}

/** A sentence for each event of an aggregate. An event that has none does not compile. */
export type Sentences<Event extends { readonly type: string }> = {
  readonly [Type in Event['type']]: (
    event: Extract<Event, { readonly type: Type }>,
    asker: Asker,
  ) => Sentence;
};

/** What is known of who asked, for a person. */
export function whoAsked({ actor }: Asker): string {
  const [kind = '', id = ''] = actor.split(':');
  if (kind === 'key') return `The merchant asked for it with the key ${id}.`;
  if (kind === 'session') return 'A person of the merchant asked for it.';
  if (kind === 'setup') return 'It was asked for by a set-up link of the merchant.';
  if (kind === 'admin') return 'The operator asked for it.';
  if (kind === 'public') return 'A customer asked for it.';
  // Which part of the program it was, tells a merchant nothing.
  return 'Tender did it by itself: it followed from what had happened before.';
}
