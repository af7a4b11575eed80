import { inTime, PacedStarts, Unavailable, type Delays, type Log } from '@tender/eventing';
import type { Batch, Consumer } from 'kafkajs';
import type { KafkaConnection } from '../connection/kafka-connection';
import { SILENCE_MAX_MS } from '../connection/unless-lost';
import { ensureTopics } from '../topics/topics';
import type { PartitionCommit } from './group-offsets';

export interface GroupMemberOptions {
  readonly connection: KafkaConnection;
  readonly group: string;
  /** Asked for at the beginning of each session. */
  readonly topics: () => readonly string[];
  readonly partitions: number;
  readonly session_timeout_ms: number;
  readonly delays: Delays;
  readonly log: Log;
  /** These partitions are ours from now on, and no others. Synchronous: batches follow at once. */
  onAssigned(assigned: Readonly<Record<string, readonly number[]>>): void;
  onBatch(batch: Batch): void;
}

/**
 * Kafka answers sooner when there is something. A member sees after this and a pace at the latest that a paused
 * partition may go on, that another member joins, or that it is to leave.
 */
const FETCH_WAIT_MS = 500;
/**
 * A fetch costs a service 2 to 3 ms of CPU, be it for one record. Under load, those that bring little of a partition
 * come so far apart; where each partition has more, one follows the other at once.
 */
const FETCH_PACE_MS = 50;
/** A batch with fewer records than these is little. */
const LITTLE_BELOW = 8;
const HEARTBEAT_MS = 500;
const RESTART_MS = 500;
const ANSWER_WAIT_MS = 3_000;

/**
 * One member of a consumer group, for as long as the process lives: whatever ends a session, another begins.
 * Batches are only handed on, so heartbeats go out however long a handler takes.
 */
export class GroupMember {
  private consumer: Consumer | null = null;
  private stopped = false;
  private running: Promise<void> = Promise.resolve();
  private beats: (() => void)[] = [];
  private tellJoined: () => void = () => undefined;
  private endSession: () => void = () => undefined;
  private cutPause: () => void = () => undefined;

  /** Resolves when the group has first told which partitions are this member's, or it has been stopped. */
  readonly joined = new Promise<void>((resolve) => {
    this.tellJoined = resolve;
  });

  constructor(private readonly options: GroupMemberOptions) {}

  start(): void {
    this.running = this.run();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.endSession();
    this.cutPause();
    this.tellBeat();
    this.tellJoined();
    await this.running;
  }

  /** Leaves the group and joins it again: what was fetched is fetched again, as the topics are then. */
  startAnew(): void {
    this.endSession();
  }

  /** The next time that the group confirms this member; at once when it has been stopped. */
  confirmed(): Promise<void> {
    if (this.stopped) return Promise.resolve();
    return new Promise((resolve) => this.beats.push(resolve));
  }

  /** Fetched records that were not handed over yet are dropped, and fetched again from `offset`. */
  seek(topic: string, partition: number, offset: bigint): void {
    this.ask((consumer) => consumer.seek({ topic, partition, offset: String(offset) }));
  }

  pause(topic: string, partition: number): void {
    this.ask((consumer) => consumer.pause([{ topic, partitions: [partition] }]));
  }

  resume(topic: string, partition: number): void {
    this.ask((consumer) => consumer.resume([{ topic, partitions: [partition] }]));
  }

  /** Saves work after a restart, and tells other members; nothing depends on it. */
  async commit(commits: readonly PartitionCommit[]): Promise<void> {
    const { log, group } = this.options;
    try {
      const offsets = commits.map((commit) => ({ ...commit, offset: String(commit.offset) }));
      await this.inTime(this.consumer?.commitOffsets(offsets) ?? Promise.resolve());
    } catch (error) {
      log.info({ err: error, consumer: group }, 'offsets were not committed');
    }
  }

  private async run(): Promise<void> {
    const { log, group, onAssigned } = this.options;
    while (!this.stopped) {
      try {
        await this.session();
      } catch (error) {
        log.warn({ err: error, consumer: group }, 'a consumer joins its group again');
      }
      this.consumer = null;
      onAssigned({});
      if (!this.stopped) await this.pauseBetween();
    }
  }

  /** Resolves when this member was stopped; throws when the session has ended otherwise. */
  private async session(): Promise<void> {
    const { connection, group, partitions, session_timeout_ms } = this.options;
    const topics = this.options.topics();
    const over = new Promise<void>((resolve) => {
      this.endSession = resolve;
    });
    await Promise.race([ensureTopics(connection, topics, partitions), over]);
    if (this.stopped) return;
    const consumer = connection.kafka.consumer({
      groupId: group,
      sessionTimeout: session_timeout_ms,
      rebalanceTimeout: session_timeout_ms,
      heartbeatInterval: Math.min(HEARTBEAT_MS, session_timeout_ms / 4),
      maxWaitTimeInMs: FETCH_WAIT_MS,
      allowAutoTopicCreation: false,
    });
    const crashed = new Promise<never>((_, reject) => {
      consumer.on(consumer.events.CRASH, ({ payload }) => reject(payload.error));
    });
    crashed.catch(() => undefined);
    const silence = this.silenceOf(consumer);
    // A join that is under way goes on: what comes of it is no more this member's.
    let is_over = false;
    consumer.on(consumer.events.HEARTBEAT, () => {
      if (!is_over) this.tellBeat();
    });
    consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
      if (is_over) return;
      this.consumer = consumer;
      if (!this.stopped) this.options.onAssigned(payload.memberAssignment);
      this.tellJoined();
    });
    const joined = this.join(consumer, topics, () => is_over);
    try {
      await Promise.race([joined, crashed, over, silence.broken]);
      await Promise.race([over, crashed, silence.broken]);
    } finally {
      is_over = true;
      silence.end();
      await this.leave(consumer, joined);
    }
  }

  /**
   * `broken` rejects when the consumer has not come back from a fetch for long, be it an empty one: without an
   * error it would fetch nothing for ever, and hold its partitions.
   */
  private silenceOf(consumer: Consumer) {
    const { delays } = this.options;
    let cancel = (): void => undefined;
    let ended = false;
    const broken = new Promise<never>((_, reject) => {
      const reason = `nothing was fetched for ${SILENCE_MAX_MS} ms`;
      const listen = (): void => {
        cancel();
        if (ended) return;
        cancel = delays.after(SILENCE_MAX_MS, () => reject(new Unavailable('kafka', { reason })));
      };
      listen();
      consumer.on(consumer.events.GROUP_JOIN, listen);
      consumer.on(consumer.events.FETCH, listen);
    });
    broken.catch(() => undefined);
    const end = (): void => {
      ended = true;
      cancel();
    };
    return { broken, end };
  }

  private async join(
    consumer: Consumer,
    topics: readonly string[],
    isOver: () => boolean,
  ): Promise<void> {
    const { delays, partitions, onBatch } = this.options;
    const fetches = new PacedStarts(delays, FETCH_PACE_MS);
    // Of the last fetch, once it has brought something.
    let is_counted = false;
    consumer.on(consumer.events.FETCH, () => {
      is_counted = false;
    });
    await consumer.connect();
    await consumer.subscribe({ topics: [...topics], fromBeginning: true });
    await consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      // All that one fetch has brought is handed on before the next one is waited for.
      partitionsConsumedConcurrently: topics.length * partitions,
      eachBatch: async ({ batch, isStale, resolveOffset }) => {
        if (!isOver() && !isStale()) onBatch(batch);
        // Not after the wait: it would undo a seek that was asked for meanwhile.
        resolveOffset(batch.lastOffset());
        if (!is_counted) fetches.count();
        is_counted = true;
        if (batch.messages.length < LITTLE_BELOW) await fetches.next();
      },
    });
  }

  /**
   * kafkajs ends what runs, not a join that is under way: that goes on, and the member that comes of it would hold
   * partitions for ever and hand on nothing. It leaves once it has joined, however late that is.
   */
  private leave(consumer: Consumer, joined: Promise<void>): Promise<void> {
    const disconnect = (): Promise<void> => consumer.disconnect().catch(() => undefined);
    return this.inTime(disconnect().then(() => joined.then(disconnect, disconnect)));
  }

  /** What does not answer is not waited for. */
  private inTime(work: Promise<void>): Promise<void> {
    return inTime(this.options.delays, work, ANSWER_WAIT_MS, () => undefined);
  }

  /** Where a session has just ended there is nothing to ask: the next one begins without it. */
  private ask(what: (consumer: Consumer) => void): void {
    try {
      if (this.consumer) what(this.consumer);
    } catch (error) {
      const { log, group } = this.options;
      log.info({ err: error, consumer: group }, 'a consumer has no session');
    }
  }

  private tellBeat(): void {
    for (const confirm of this.beats.splice(0)) confirm();
  }

  private pauseBetween(): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.options.delays.after(RESTART_MS, resolve);
      this.cutPause = () => {
        cancel();
        resolve();
      };
    });
  }
}
