import type { Mode } from '@tender/kernel';

/** `all` is for accounts alone: a merchant and its keys are one thing in both modes. */
export type StreamMode = Mode | 'all';

/** `<noun>.<mode>`: what a follower asks for. */
export type Category = `${string}.${StreamMode}`;

/** `<noun>.<mode>-<id>`, for example `payment.test-pay_test_4fX…`. */
export type StreamName = `${string}.${StreamMode}-${string}`;

export const streamName = (noun: string, mode: StreamMode, id: string): StreamName =>
  `${noun}.${mode}-${id}`;

export function categoryOf(stream: StreamName): Category {
  return stream.slice(0, stream.indexOf('-')) as Category;
}

export const modeOf = (stream: StreamName): StreamMode => {
  const category = categoryOf(stream);
  return category.slice(category.lastIndexOf('.') + 1) as StreamMode;
};

/** The id part of a stream name. */
export const idOf = (stream: StreamName): string => stream.slice(stream.indexOf('-') + 1);

/** What every event carries from the first one on (L4). Times are ISO 8601, UTC. */
export interface EventMetadata {
  readonly id: string;
  readonly type: string;
  readonly schema_version: number;
  readonly mode: StreamMode;
  readonly merchant_id: string | null;
  /** Whose personal data the event holds, sealed under that subject's key. */
  readonly subject_ids: readonly string[];
  /** What asked for it: `key:<id>`, `session:<id>`, `admin`, `public`, `system:<reactor>`. */
  readonly actor: string;
  readonly command_id: string;
  readonly body_hash: string | null;
  readonly correlation_id: string;
  readonly causation_id: string | null;
  /** Business time of the decision. */
  readonly occurred_at: string;
  /** Wall time of the append. */
  readonly recorded_at: string;
  /** SHA-256 (hex) of the stream's previous event; null for its first. */
  readonly prev_hash: string | null;
}

/** A decided fact: `{ type: 'PaymentConfirmed', data: {…} }`. Data is JSON. */
export interface DomainEvent {
  readonly type: string;
  readonly data: object;
}

export interface NewEvent<Event extends DomainEvent = DomainEvent> {
  readonly type: Event['type'];
  readonly data: Event['data'];
  readonly metadata: EventMetadata;
}

/** Opaque; compares only through the store that made it. */
export type Position = string;

export interface StoredEvent<Event extends DomainEvent = DomainEvent> extends NewEvent<Event> {
  readonly stream: StreamName;
  /** 0 for the first event of its stream. */
  readonly revision: number;
  readonly position: Position;
}

/** What a fold takes of an event: metadata decides nothing, so rebuilding rows need not read it. */
export type FoldedEvent = Omit<StoredEvent, 'metadata'>;
