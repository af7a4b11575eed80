import type { Clock } from '@tender/kernel';
import type { BatchHandler } from '../ports/bus';
import type { Delays } from '../ports/delays';
import type { Position } from '../events/event';
import { isOutage, NotThisOne } from '../ports/failures';
import type { Log } from '../ports/log';
import type { ConsumerRecords, Failure, Located, Parked } from './parking';
import type { SqlTransaction } from '../ports/read-models';
import { SetBack } from '../following/returning-follower';

export interface ParkingConsumerOptions {
  /** `<consumer>:<mode>` */
  readonly name: string;
  readonly handler: BatchHandler;
  readonly records: ConsumerRecords;
  readonly isBefore: (position: Position, other: Position) => boolean;
  readonly clock: Clock;
  readonly log: Log;
  readonly delays: Delays;
  /** Wait before the next try, by the number of tries so far. */
  readonly retry_delay_ms?: (tries: number) => number;
}

export const TRIES_MAX = 5;
const DRAIN_LIMIT = 50;
const LOOK_AGAIN_MS = 30_000;
const UNAVAILABLE_DELAY_MS = 1_000;
const ERROR_LENGTH_MAX = 500;
/** 1 s, 5 s, 25 s, 2 min, then 10 min. */
const defaultRetryDelay = (tries: number): number => Math.min(1_000 * 5 ** (tries - 1), 600_000);

/**
 * Hands batches to one consumer. A message that fails is parked with the later ones of its key and tried
 * again in order; other keys flow (P3). An outage is no fault of a message and parks nothing. What cannot be done for
 * this message alone (`NotThisOne`) is tried again until it can.
 */
export class ParkingConsumer {
  private blocked = new Set<string>();
  private handled: Position | null = null;
  /** Where the checkpoint was left. */
  private saved: Position | null = null;
  /** A transaction ended in the dark: only the database knows the checkpoint. */
  private unsure = false;
  private turn: Promise<unknown> = Promise.resolve();
  private cancelDrain: (() => void) | null = null;
  private drain_at_ms = 0;
  private closed = false;

  constructor(private readonly options: ParkingConsumerOptions) {}

  /** Where to go on from. */
  async open(): Promise<Position | null> {
    this.saved = null;
    await this.look();
    if (this.blocked.size > 0) this.drainAfter(0);
    return this.handled;
  }

  /** Throws `SetBack` when the checkpoint is before where it was left, then and until it is opened again. */
  verify(): Promise<void> {
    return this.alone(() => this.look());
  }

  /** Resolves when each message is handled or parked, and the checkpoint is at `until`. Throws `SetBack`. */
  handle(messages: readonly Located[], until: Position): Promise<void> {
    return this.alone(async () => {
      try {
        await this.handleBatch(messages, until);
      } catch (error) {
        this.unsure = true;
        throw error;
      }
    });
  }

  /** Wall time (ms) of the next try; null when nothing is parked, or it waits for an operator. */
  async nextTry(): Promise<number | null> {
    return this.blocked.size === 0 ? null : this.options.records.nextTry();
  }

  async close(): Promise<void> {
    this.closed = true;
    this.cancelDrain?.();
    await this.turn.catch(() => undefined);
    this.options.records.release();
  }

  private async handleBatch(messages: readonly Located[], until: Position): Promise<void> {
    const { records } = this.options;
    if (this.unsure) await this.look();
    const fresh = messages.filter(({ position }) => this.isNew(position));
    const behind = fresh.filter(({ message }) => this.blocked.has(message.key));
    const free = fresh.filter(({ message }) => !this.blocked.has(message.key));
    try {
      await records.transaction(async (tx) => {
        if (behind.length > 0) await records.park(tx, behind, null);
        if (free.length > 0) await this.pass(free, tx);
        await records.saveCheckpoint(tx, until, this.saved);
      });
      this.handled = this.saved = until;
    } catch (error) {
      if (isOutage(error)) throw error;
      const culprit = free.length === 1 ? free[0] : null;
      for (const located of fresh) {
        if (located === culprit) await this.parkFirst(located, error);
        else await this.handleOne(located);
        this.handled = located.position;
      }
      this.handled = until;
    }
  }

  private async handleOne(located: Located): Promise<void> {
    const { records } = this.options;
    if (this.blocked.has(located.message.key)) {
      return this.finish(located, (tx) => records.park(tx, [located], null));
    }
    try {
      await this.finish(located, (tx) => this.pass([located], tx));
    } catch (error) {
      if (isOutage(error)) throw error;
      await this.parkFirst(located, error);
    }
  }

  private async parkFirst(located: Located, error: unknown): Promise<void> {
    const { records, clock } = this.options;
    const failure = this.failed(located, 1, error);
    await this.finish(located, (tx) => records.park(tx, [located], failure));
    this.blocked.add(located.message.key);
    this.drainAfter((failure.next_try_ms ?? 0) - clock.wall());
  }

  private async finish(
    { position }: Located,
    work: (tx: SqlTransaction) => Promise<void>,
  ): Promise<void> {
    const { records } = this.options;
    await records.transaction(async (tx) => {
      await work(tx);
      await records.saveCheckpoint(tx, position, this.saved);
    });
    this.saved = position;
  }

  private async look(): Promise<void> {
    const { records, name } = this.options;
    const { saved } = this;
    this.unsure = true;
    const found = await records.checkpoint();
    const behind = saved !== null && (found === null || this.options.isBefore(found, saved));
    // What lies between does not come again by itself.
    if (behind) throw new SetBack(name, saved, found);
    this.handled = this.saved = found;
    await this.readBlocked();
    this.unsure = false;
  }

  /** Tries what is due, one message per key, until nothing is due any more. */
  private async drain(): Promise<void> {
    const { records, clock } = this.options;
    for (;;) {
      const due = await records.dueParked(clock.wall(), DRAIN_LIMIT);
      if (due.length === 0 || this.closed) break;
      for (const parked of due) await this.tryParked(parked);
    }
    await this.readBlocked();
    if (this.blocked.size === 0) return;
    const next_ms = await records.nextTry();
    this.drainAfter(next_ms === null ? LOOK_AGAIN_MS : next_ms - clock.wall());
  }

  private async tryParked(parked: Parked): Promise<void> {
    const { records } = this.options;
    try {
      await records.transaction(async (tx) => {
        await this.pass([parked], tx);
        await records.unpark(tx, parked);
      });
    } catch (error) {
      if (isOutage(error)) throw error;
      await records.failedAgain(parked, this.failed(parked, parked.tries + 1, error));
    }
  }

  private pass(messages: readonly Located[], tx: SqlTransaction): Promise<void> {
    return this.options.handler(
      messages.map(({ message }) => message),
      tx,
    );
  }

  private failed({ message }: Located, tries: number, error: unknown): Failure {
    const { clock, log, name, retry_delay_ms = defaultRetryDelay } = this.options;
    const waits = tries >= TRIES_MAX && !(error instanceof NotThisOne);
    log.error(
      {
        ...{ err: error, consumer: name, tries },
        ...{ event: message.id, type: message.type, key: message.key },
        correlation_id: message.correlation_id,
      },
      waits ? 'a parked message waits for an operator' : 'a message is parked',
    );
    return {
      tries,
      next_try_ms: waits ? null : clock.wall() + retry_delay_ms(tries),
      error: String(error).slice(0, ERROR_LENGTH_MAX),
    };
  }

  /** An earlier appointment stands. */
  private drainAfter(delay_ms: number): void {
    const { clock, delays, log, name } = this.options;
    const at_ms = clock.wall() + Math.max(0, Math.min(delay_ms, LOOK_AGAIN_MS));
    if (this.closed || (this.cancelDrain && this.drain_at_ms <= at_ms)) return;
    this.cancelDrain?.();
    this.drain_at_ms = at_ms;
    this.cancelDrain = delays.after(at_ms - clock.wall(), () => {
      this.cancelDrain = null;
      this.alone(() => this.drain()).catch((error: unknown) => {
        log.warn({ err: error, consumer: name }, 'parked messages wait');
        this.drainAfter(UNAVAILABLE_DELAY_MS);
      });
    });
  }

  private async readBlocked(): Promise<void> {
    this.blocked = new Set(await this.options.records.parkedKeys());
  }

  private isNew(position: Position): boolean {
    return this.handled === null || this.options.isBefore(this.handled, position);
  }

  /** Batches and retries never overlap: a key's next message must not slip in between. */
  private alone<Result>(work: () => Promise<Result>): Promise<Result> {
    const mine = this.turn.then(work, work);
    this.turn = mine.catch(() => undefined);
    return mine;
  }
}
