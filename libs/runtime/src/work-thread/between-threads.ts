import type { MessagePort } from 'node:worker_threads';
import type { Beat } from '@tender/adapter-postgres';
import type { Asked, EventStore, MailOutcome, OutgoingMail, StoredEvent } from '@tender/eventing';
import { createBirpc } from 'birpc';
import type { ThreadAnswer } from './thread-fault';

type Appending = Parameters<EventStore['append']>;
type Answer<Method extends (...args: never[]) => Promise<unknown>> = Promise<
  ThreadAnswer<Awaited<ReturnType<Method>>>
>;

/** What the thread of requests does for that of the work: it alone writes the log. */
export interface RequestThread {
  append(...asked: Appending): Answer<EventStore['append']>;
  newest(): Answer<EventStore['newest']>;
  /** Into the inbox that people read there. */
  keepMail(mail: OutgoingMail): Promise<MailOutcome>;
  /** Resolves once the signers that it starts are serving. */
  awakenSigners(): Answer<() => Promise<void>>;
}

/** What the thread of the work does for that of requests. */
export interface WorkThread {
  committed(events: readonly StoredEvent[]): void;
  beat(beat: Beat): void;
  /** A question between contexts that only the leader answers. */
  answerTo(name: string, input: unknown, asked: Asked): Promise<ThreadAnswer<unknown>>;
  /** Where clients reach the program. */
  listensAt(url: string): void;
  /** Business time minus wall time, in milliseconds. */
  setOffset(offset_ms: number): void;
  nextDue(): Promise<ThreadAnswer<number | null>>;
  idle(): Promise<ThreadAnswer<void>>;
  stop(): Promise<ThreadAnswer<void>>;
}

/** Calls to the other thread: each waits for its answer, however long that takes. */
export function between<Other extends object, Own extends object>(port: MessagePort, own: Own) {
  return createBirpc<Other, Own>(own, {
    post: (message) => port.postMessage(message),
    on: (take) => void port.on('message', take),
    timeout: -1,
  });
}
