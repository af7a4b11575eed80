import {
  inTime,
  Unavailable,
  type Delays,
  type Located,
  type Log,
  type Position,
  type Publisher,
  type ReadModels,
  type StoredEvent,
} from '@tender/eventing';
import type { Clock } from '@tender/kernel';
import { eventRecord, progressRecord } from '../records/cloud-event';
import { CutOff } from '../connection/cut-off';
import type { RecordProducer } from './record-producer';
import { RestoredLog } from '../guard/restored-log';
import type { TopicGuard } from '../guard/topic-guard';
import type { Topic } from '../topics/topics';

export interface TopicRelayOptions {
  /** Under which the checkpoint is kept. */
  readonly name: string;
  readonly producer: Pick<RecordProducer, 'send'>;
  readonly guard: Pick<TopicGuard, 'startsBehind' | 'admit' | 'newest'>;
  readonly topic: Topic;
  readonly partitions: number;
  readonly schema: string;
  readonly publisher: Publisher;
  readonly readModels: Pick<
    ReadModels,
    'checkpoint' | 'release' | 'saveCheckpoint' | 'transaction'
  >;
  readonly clock: Clock;
  readonly delays: Delays;
  readonly log: Log;
}

/** Between progress records that nothing has asked for: they are all that a topic at rest takes. */
const PROGRESS_EVERY_MS = 60_000;
/** Between those that are asked for. */
const PROGRESS_PACE_MS = 100;
const SAVE_PROGRESS_MS = 5_000;
const LAST_SAVE_WAIT_MS = 2_000;

/** What the relay does for one topic. */
export class TopicRelay {
  private saved: Position | null = null;
  private saved_ms = 0;
  /** A batch ended in the dark. */
  private unsure = false;
  /** Past the checkpoint, and nothing public between; null when there is no such place. */
  private noted: Position | null = null;
  private progress: { readonly position: Position; readonly wall_ms: number } | null = null;
  /** Wall time (ms) that a consumer waits for; null: none does. */
  private asked_ms: number | null = null;
  private told_ms = Number.NEGATIVE_INFINITY;
  private telling = false;
  private stopped = false;
  private readonly looks = new CutOff();

  constructor(private readonly options: TopicRelayOptions) {}

  /** Where to go on from; a former relay can move the checkpoint no more. */
  async open(): Promise<Position | null> {
    const { guard, readModels, schema } = this.options;
    // A relay that still runs under this name fails from now on, also one of this process in an earlier turn.
    readModels.release(schema, this.options.name);
    this.saved = await readModels.checkpoint(schema, this.options.name);
    guard.startsBehind(this.saved);
    return this.saved;
  }

  /** Resolves when the public ones among the events are acknowledged, and the checkpoint behind them. */
  async pass(events: readonly StoredEvent[]): Promise<void> {
    const { producer, publisher, topic, partitions } = this.options;
    const located = events.flatMap((event) => {
      const message = publisher(event);
      return message ? [{ message, position: event.position }] : [];
    });
    if (located.length === 0) return;
    // A relay that was replaced must not go on writing, however often it is asked to try again.
    if (this.unsure && this.saved !== null) await this.save(this.saved);
    this.unsure = true;
    await this.admit(located);
    await producer.send(located.map((event) => eventRecord(event, topic.context, partitions)));
    await this.save((events.at(-1) as StoredEvent).position);
    this.noted = null;
    this.unsure = false;
  }

  noteProgress(position: Position, wall_ms: number): Promise<void> | void {
    this.progress = { position, wall_ms };
    this.noted = position;
    void this.tell();
    const due = this.options.clock.wall() - this.saved_ms >= SAVE_PROGRESS_MS;
    if (position !== this.saved && due && !this.unsure) return this.save(position);
  }

  /**
   * Tells of progress as soon as it has come to that wall time (ms). One that waits for longer asks again; nothing is
   * kept of who has asked, so it may ask any number of times, or be gone.
   */
  tellUpTo(until_ms: number): void {
    this.asked_ms = Math.min(this.asked_ms ?? until_ms, until_ms);
    void this.tell();
  }

  /** A batch under way may be written; a cluster that does not say what is in the topic is not waited for. */
  stop(): void {
    this.stopped = true;
    this.looks.cut(new Unavailable('kafka', { reason: 'the relay ends' }));
  }

  /**
   * After the last batch: keeps where the relay has got. The topic may have that progress, and the next
   * release may make public what lies between; the guard would take that for an event of another log.
   */
  async leave(): Promise<void> {
    const { delays, log, name } = this.options;
    if (this.noted === null || this.noted === this.saved) return;
    try {
      await inTime(delays, this.save(this.noted), LAST_SAVE_WAIT_MS, () => undefined);
    } catch (error) {
      log.info({ err: error, follower: name }, 'the last checkpoint was not saved');
    }
  }

  private admit(events: readonly Located[]): Promise<void> {
    return this.looks.until(this.options.guard.admit(events));
  }

  /** To every partition, the newest progress, where it is due: it is noted twice a second, also in a log at rest. */
  private async tell(): Promise<void> {
    const { clock, guard, log, partitions, producer, topic } = this.options;
    const { progress } = this;
    if (!progress || this.telling || this.stopped) return;
    const { position, wall_ms } = progress;
    const asked = (): boolean => this.asked_ms !== null && this.asked_ms <= wall_ms;
    const pace_ms = asked() ? PROGRESS_PACE_MS : PROGRESS_EVERY_MS;
    const since_ms = clock.wall() - this.told_ms;
    // Less than nothing where the clock was set back.
    if (since_ms >= 0 && since_ms < pace_ms) return;
    this.telling = true;
    try {
      await this.admit([]);
      await producer.send(
        Array.from({ length: partitions }, (_, partition) =>
          progressRecord(topic.context, partition, position, wall_ms, guard.newest),
        ),
      );
      this.told_ms = clock.wall();
      if (asked()) this.asked_ms = null;
    } catch (error) {
      // The next one says more anyway. What the guard refuses it has logged.
      const refused = error instanceof RestoredLog;
      if (!refused) log.warn({ err: error, follower: this.options.name }, 'progress was not told');
    }
    this.telling = false;
  }

  private async save(position: Position): Promise<void> {
    const { readModels, schema, clock } = this.options;
    await readModels.transaction((tx) =>
      readModels.saveCheckpoint(tx, schema, this.options.name, position),
    );
    this.saved = position;
    this.saved_ms = clock.wall();
  }
}
