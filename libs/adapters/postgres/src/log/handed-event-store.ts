import type { EventStore, StoredEvent } from '@tender/eventing';
import { readJsonColumns } from '../connections/json-columns';
import { followTail } from './follow-tail';
import { LogTail } from './log-tail';
import type { PostgresEventStore } from './postgres-event-store';
import { realDelays } from '../connections/real-delays';
import { ReadingSide, type ReadingSideOptions } from './reading-side';
import type { Beat } from './shared-session';

export interface HandedEventStoreOptions extends ReadingSideOptions {
  /** The thread that writes the log, and takes appends of this one. */
  readonly writer: Pick<EventStore, 'append' | 'newest'>;
}

export type HandedEventStore = PostgresEventStore & {
  /** The writer has committed these, the next ones of the log. */
  committed(events: readonly StoredEvent[]): void;
  /** Told now and then, also while nothing is committed. */
  beat(beat: Beat): void;
};

/**
 * The log of another thread of the process, which alone writes it: appends go through that one, the table is read from
 * here, and followers here are handed what that one tells that it has committed.
 */
export function handedEventStore(options: HandedEventStoreOptions): HandedEventStore {
  readJsonColumns();
  const { writer, log } = options;
  const reading = new ReadingSide(options, { has_heartbeat: false });
  const tail = new LogTail(reading, realDelays, log);
  return {
    ...reading.answers,
    append: (...asked) => writer.append(...asked),
    newest: () => writer.newest(),
    follow: followTail(reading, tail, log),
    committed: (events) => tail.committed(events),
    beat: (beat) => tail.beat(beat),
    start: async () => tail.begin(await reading.reader.newest()),
    async close() {
      tail.close();
      await reading.close();
    },
  };
}
