import {
  categoryOf,
  FollowerGroup,
  type Category,
  type EventStore,
  type FollowableLog,
  type Follower,
  type FollowOptions,
  type Log,
  type LogLag,
  type StoredEvent,
} from '@tender/eventing';
import type { Clock } from '@tender/kernel';
import type { Cuttable } from '../connections/cuttable-pool';
import { realDelays } from '../connections/real-delays';
import { LogReader } from './log-reader';
import { RecentEvents } from './recent-events';

export interface ReadingSideOptions {
  readonly connectionString: string;
  /** Wall time of calls, for followers' progress. */
  readonly clock: Pick<Clock, 'wall'>;
  readonly log: Log;
  /** Events that are kept in memory for followers; 2,048 by default. */
  readonly recent_max?: number;
}

/** How the log is read and followed, whether one process writes it or several. */
export class ReadingSide {
  readonly reader: LogReader;
  readonly recent: RecentEvents;
  readonly group: FollowerGroup;

  /** Without a heartbeat, others wake the followers now and then. */
  constructor(
    { connectionString, clock, log, recent_max = 2_048 }: ReadingSideOptions,
    { has_heartbeat = true } = {},
  ) {
    this.reader = new LogReader(connectionString, clock, log);
    this.recent = new RecentEvents(recent_max);
    this.group = new FollowerGroup(realDelays, log, has_heartbeat);
  }

  /** What a store answers from here alone. */
  get answers(): Pick<EventStore, 'load' | 'newest' | 'isBefore'> & LogLag & Cuttable {
    const { reader } = this;
    return {
      load: (stream) => reader.load(stream),
      newest: () => reader.newestPosition(),
      isBefore: (position, other) => Number(position) < Number(other),
      lag: (categories, from) => reader.lag(categories, from),
      isWaiting: () => reader.isWaiting(),
      cutOff: () => reader.cutOff(),
    };
  }

  follow(end: Pick<FollowableLog, 'mark' | 'head'>, followed: FollowOptions): Follower {
    const { reader, recent } = this;
    const source: FollowableLog = {
      ...end,
      read: (...asked) => recent.read(...asked) ?? reader.after(...asked),
      hasNone: (...asked) => recent.hasNone(...asked),
    };
    return this.group.follow(source, followed);
  }

  /** The mark has come past these events, all that the followers want of what was committed since. */
  passOn(events: readonly StoredEvent[]): void {
    const { recent, group } = this;
    recent.release(group.slowest());
    const categories = new Set<Category>();
    for (const event of events) {
      recent.push(event);
      categories.add(categoryOf(event.stream));
    }
    group.moved(categories);
  }

  async close(): Promise<void> {
    await this.group.stopAll();
    await this.reader.close();
  }
}
