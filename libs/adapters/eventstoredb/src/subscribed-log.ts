import type { ReadResp } from '@eventstore/db-client/generated/streams_pb';
import type { ClientReadableStream } from '@grpc/grpc-js';
import type { Category, FollowableLog, Log, LogMark, StoredEvent } from '@tender/eventing';
import { hangUp, type LogClient } from './log-client';
import type { LogTail } from './log-tail';
import { subscriptionRequest } from './requests';
import { positionOf, storedEvent } from './stored-events';

export interface SubscribedLogOptions {
  readonly name: string;
  readonly categories: ReadonlySet<Category>;
  readonly from: number;
  /** Events that are kept for the follower at most. */
  readonly queue_max: number;
  /** A subscription that says nothing for so long while there is something to say is replaced. */
  readonly silent_ms: number;
  readonly client: LogClient;
  readonly tail: LogTail;
  readonly log: Log;
  /** There is something new for the follower. */
  readonly onMore: () => void;
}

const RETRY_MIN_MS = 50;
const RETRY_MAX_MS = 2_000;

/** The log as one follower's subscription brings it in. Keeps few events: while they wait, nothing is read. */
export class SubscribedLog implements FollowableLog {
  private queue: StoredEvent[] = [];
  /** Every event of these categories up to here was received. */
  private received: number;
  private wall_ms = 0;
  private heard_ms = performance.now();
  private call: ClientReadableStream<ReadResp> | null = null;
  private stopped = false;
  private telling = false;
  private room: (() => void) | null = null;
  private cutPause: (() => void) | null = null;
  private readonly running: Promise<void>;
  private fail: (error: Error) => void = () => undefined;
  /** Rejects when this log cannot be followed any more. */
  readonly broken: Promise<never>;

  constructor(private readonly options: SubscribedLogOptions) {
    this.received = options.from;
    this.broken = new Promise<never>((_resolve, reject) => {
      this.fail = reject;
    });
    this.broken.catch(() => undefined);
    this.running = this.run();
  }

  mark(): LogMark {
    return { position: this.received, wall_ms: this.wall_ms };
  }

  /** Not known here: another process may have appended just now. */
  head(): number {
    return Number.POSITIVE_INFINITY;
  }

  read(
    _categories: ReadonlySet<Category>,
    after: number,
    until: number,
    limit: number,
  ): readonly StoredEvent[] {
    let handled = 0;
    while (handled < this.queue.length && this.place(handled) <= after) handled += 1;
    this.queue.splice(0, handled);
    this.room?.();
    let found = 0;
    while (found < limit && found < this.queue.length && this.place(found) <= until) found += 1;
    return this.queue.slice(0, found);
  }

  /** The tail was looked at again. */
  tailMoved(): void {
    this.advance();
    this.options.onMore();
    if (this.room || this.received >= this.options.tail.end) {
      this.heard_ms = performance.now();
    } else if (this.call && performance.now() - this.heard_ms > this.options.silent_ms) {
      const { name, log, silent_ms } = this.options;
      log.warn({ follower: name, silent_ms }, 'a subscription is silent and is replaced');
      hangUp(this.call);
    }
  }

  async stop(): Promise<void> {
    this.stopped = true;
    if (this.call) hangUp(this.call);
    this.room?.();
    this.cutPause?.();
    await this.running;
  }

  private place(index: number): number {
    return Number((this.queue[index] as StoredEvent).position);
  }

  private async run(): Promise<void> {
    let delay_ms = RETRY_MIN_MS;
    while (!this.stopped) {
      const before = this.received;
      try {
        await this.subscribe();
      } catch (error) {
        if (this.stopped) return;
        const err = this.options.client.noted(error);
        const follower = this.options.name;
        this.options.log.warn({ err, follower, delay_ms }, 'a subscription ended and is made again');
      }
      if (this.received > before) delay_ms = RETRY_MIN_MS;
      await this.pause(delay_ms);
      delay_ms = Math.min(delay_ms * 2, RETRY_MAX_MS);
    }
  }

  /** Until the subscription ends, for whatever reason. */
  private async subscribe(): Promise<void> {
    const { client, tail, categories } = this.options;
    await tail.refresh();
    const { end } = tail;
    if (this.received > end) return this.refuse(end);
    if (this.stopped) return;
    const call = await client.subscribe(subscriptionRequest(categories, this.received));
    this.call = call;
    this.heard_ms = performance.now();
    try {
      if (this.stopped) return;
      for await (const message of call) {
        this.hear(message as ReadResp, end);
        while (this.queue.length >= this.options.queue_max && !this.stopped) await this.untilRoom();
        if (this.stopped) return;
      }
    } finally {
      this.call = null;
      hangUp(call);
    }
  }

  private hear(message: ReadResp, end: number): void {
    this.heard_ms = performance.now();
    const event = message.getEvent()?.getEvent();
    const checkpoint = message.getCheckpoint();
    if (event && positionOf(event) > this.received) {
      this.queue.push(storedEvent(event));
      this.received = positionOf(event);
    }
    // A checkpoint may be where the next event will be: nothing is told that is past the newest one.
    const seen = checkpoint ? Math.min(positionOf(checkpoint), this.options.tail.end) : 0;
    this.received = Math.max(this.received, seen);
    // Everything that was in the log when it was subscribed to has come.
    if (message.hasCaughtUp()) this.received = Math.max(this.received, end);
    this.advance();
    this.tellLater();
  }

  /** Once for everything that arrives together: a batch is what is there when it starts. */
  private tellLater(): void {
    if (this.telling) return;
    this.telling = true;
    setImmediate(() => {
      this.telling = false;
      this.options.onMore();
    });
  }

  /** A log that has the last of its own events has seen as much as there is. */
  private advance(): void {
    const { tail, categories } = this.options;
    if (this.received < tail.covers_from || this.received < tail.newestOf(categories)) return;
    this.received = Math.max(this.received, tail.end);
    this.wall_ms = Math.max(this.wall_ms, tail.wall_ms);
  }

  /** The store was put back to an older state: what comes next would be taken for known. */
  private refuse(end: number): void {
    this.stopped = true;
    const { name, log } = this.options;
    const reason = `${name} is past the end of the log (restored from an older copy?)`;
    log.error({ follower: name, position: this.received, end }, reason);
    this.fail(new Error(reason));
  }

  private untilRoom(): Promise<void> {
    return new Promise((resolve) => {
      this.room = () => {
        this.room = null;
        resolve();
      };
    });
  }

  private pause(delay_ms: number): Promise<void> {
    if (this.stopped) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, delay_ms).unref();
      this.cutPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
