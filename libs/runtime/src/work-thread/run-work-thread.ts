import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import type { InProcessCalls, SystemClock } from '@tender/adapter-system';
import type { EventStore, Mail, Stage } from '@tender/eventing';
import type { HandedEventStore } from '@tender/adapter-postgres';
import { invariant } from '@tender/kernel';
import { between, type RequestThread, type WorkThread } from './between-threads';
import { answered, valueOf } from './thread-fault';

/** The thread of requests, as that of the work knows it. */
export interface Requests {
  /** Writes the log. */
  readonly writer: Pick<EventStore, 'append' | 'newest'>;
  /** Keeps mails in the inbox that people read there. */
  readonly mail: Mail;
  /** Resolves once the signers that it starts are serving. */
  awakenSigners(): Promise<void>;
}

/** What does the work, once it goes on. */
export interface RunningWork {
  readonly eventLog: HandedEventStore;
  readonly local_calls: InProcessCalls;
  readonly clock: SystemClock;
  readonly stage: Stage;
  /** Where its metrics are served; null where they are not. */
  readonly metrics_port: number | null;
  listensAt(url: string): void;
  stop(): Promise<void>;
}

/**
 * Runs the thread of the work: `start` gets what it was given and what the thread of requests does for it. What is told
 * before `start` is done waits.
 */
export async function runWorkThread<Given>(
  start: (given: Given, requests: Requests) => Promise<RunningWork>,
): Promise<void> {
  const { given, port } = workerData as { readonly given: Given; readonly port: MessagePort };
  const own = parentPort;
  invariant(own, 'the work runs in a thread of its own');
  const work = Promise.withResolvers<RunningWork>();
  const { promise: working } = work;
  const requests = between<RequestThread, WorkThread>(port, {
    committed: (events) => void working.then(({ eventLog }) => eventLog.committed(events)),
    beat: (beat) => void working.then(({ eventLog }) => eventLog.beat(beat)),
    answerTo: (...asked) => answered(async () => (await working).local_calls.answerTo(...asked)),
    listensAt: (url) => void working.then((running) => running.listensAt(url)),
    setOffset: async (offset_ms) => (await working).clock.setOffset(offset_ms),
    nextDue: () => answered(async () => (await working).stage.nextDue()),
    idle: () => answered(async () => (await working).stage.idle()),
    stop: () => answered(async () => (await working).stop()),
  });
  try {
    work.resolve(
      await start(given, {
        writer: {
          append: (...asked) => valueOf(requests.append(...asked)),
          newest: () => valueOf(requests.newest()),
        },
        mail: { send: (mail) => requests.keepMail(mail), inbox: null },
        awakenSigners: () => valueOf(requests.awakenSigners()),
      }),
    );
    const { metrics_port } = await working;
    own.postMessage({ working: { metrics_port } });
  } catch (error) {
    const { name, message, stack, code } = error as NodeJS.ErrnoException;
    own.postMessage({ failed: { name, message, stack, code } });
  }
}
