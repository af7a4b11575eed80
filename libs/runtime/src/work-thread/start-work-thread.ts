import { MessageChannel, Worker } from 'node:worker_threads';
import { realDelays, type LoneEventStore } from '@tender/adapter-postgres';
import type { InProcessCalls } from '@tender/adapter-system';
import type { Calls, Env, Mail, Stage } from '@tender/eventing';
import { between, type RequestThread, type WorkThread } from './between-threads';
import { gatheredNews } from './gathered-news';
import { leaderCalls } from './leader-calls';
import { answered, valueOf } from './thread-fault';

/** While nothing is committed, followers hear so often that time has passed. */
const BEAT_MS = 1_000;

export interface WorkThreadOptions {
  /** The program of the thread. */
  readonly main: string;
  readonly env: Env;
  /** What it is told at its start, as JSON is. */
  readonly given: object;
  readonly eventLog: LoneEventStore;
  readonly mail: () => Mail;
  /** Resolves once the signers that this program starts are serving. */
  readonly awakenSigners: () => Promise<void>;
  readonly clock: { offset(): number; setOffset(offset_ms: number): void };
}

export interface StartedWorkThread {
  /** Resolves once its work goes on. */
  readonly working: Promise<Working>;
  /** The whole program, as a test clock moves it. */
  readonly stage: Stage;
  /** Questions that contexts of this thread ask; those of the leader are answered there. */
  calls(local: InProcessCalls): Calls;
  listensAt(url: string): void;
  stop(): Promise<void>;
}

export interface Working {
  /** Where the metrics of the thread are served; null where they are not. */
  readonly metrics_port: number | null;
}

/** What the thread says for itself. */
type Said = { readonly working: Working } | { readonly failed: Failed };
interface Failed {
  readonly name: string;
  readonly message: string;
  readonly stack?: string;
  readonly code?: string;
}

/**
 * Starts the thread that leads: it follows the log of this one and does all that nobody waits for. It ends with the
 * process, and the process with it.
 */
export function startWorkThread(options: WorkThreadOptions): StartedWorkThread {
  const { main, env, given, eventLog, clock } = options;
  const { port1: port, port2 } = new MessageChannel();
  const thread = new Worker(main, {
    env: env as NodeJS.ProcessEnv,
    workerData: { given, port: port2 },
    transferList: [port2],
  });
  const work = between<WorkThread, RequestThread>(port, {
    append: (...asked) => answered(() => eventLog.append(...asked)),
    newest: () => answered(() => eventLog.newest()),
    keepMail: (mail) => options.mail().send(mail),
    awakenSigners: () => answered(options.awakenSigners),
  });
  const news = gatheredNews(realDelays, (events) => void work.committed.asEvent(events));
  const stopListening = eventLog.onCommitted(news);
  const beats = setInterval(() => void work.beat.asEvent(eventLog.beat()), BEAT_MS).unref();
  const { working, ended, endIt } = watch(thread);
  let stopped: Promise<void> | null = null;
  const stop = async (): Promise<void> => {
    clearInterval(beats);
    try {
      await endIt(() => valueOf(work.stop()));
    } finally {
      stopListening();
      port.close();
      await thread.terminate();
      await ended;
    }
  };
  return {
    working,
    stage: {
      nextDue: () => valueOf(work.nextDue()),
      offset: () => clock.offset(),
      async setOffset(offset_ms) {
        clock.setOffset(offset_ms);
        await work.setOffset(offset_ms);
      },
      idle: () => valueOf(work.idle()),
    },
    calls: (local) => leaderCalls(local, work),
    listensAt: (url) => void work.listensAt.asEvent(url),
    stop: () => (stopped ??= stop()),
  };
}

/** What becomes of the thread. One that ends while it works ends the process: it led. */
function watch(thread: Worker) {
  const { promise: working, resolve, reject } = Promise.withResolvers<Working>();
  let works = false;
  let ending = false;
  let fault: Error | undefined;
  const fail = (error: Error): void => {
    fault ??= error;
    reject(error);
  };
  thread.once('message', (said: Said) => {
    if ('failed' in said) return fail(Object.assign(new Error(said.failed.message), said.failed));
    works = true;
    resolve(said.working);
  });
  thread.once('error', fail);
  // Whoever starts the program waits for it, but may have failed before.
  working.catch(() => undefined);
  const ended = new Promise<void>((over) => {
    thread.once('exit', () => {
      over();
      const end = new Error('the thread of the work has ended', { cause: fault });
      if (works && !ending) throw end;
      fail(end);
    });
  });
  return {
    working,
    ended,
    /** `stop` asks it to end what it does; one that does not work yet has nothing to end. */
    async endIt(stop: () => Promise<void>): Promise<void> {
      ending = true;
      if (works && fault === undefined) await stop();
    },
  };
}
