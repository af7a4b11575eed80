import {
  categoryOf,
  storableJson,
  UnstorableText,
  type Appended,
  type ExpectedRevision,
  type NewEvent,
  type StoredEvent,
  type StreamName,
} from '@tender/eventing';
import { invariant, type Clock } from '@tender/kernel';
import type { PendingAppend } from './event-rows';
import type { GroupCommit } from './group-commit';
import type { KnownStreams } from './known-streams';
import type { LogReader } from './log-reader';
import type { WriterConnection } from './writer-connection';

/** Turns calls into appends of the group commit, and its outcomes into answers. */
export class LogAppender {
  /** Newest position that an append was answered with. */
  head = 0;

  constructor(
    private readonly commits: GroupCommit,
    private readonly writer: Pick<WriterConnection, 'began' | 'ended'>,
    private readonly reader: LogReader,
    private readonly clock: Pick<Clock, 'wall'>,
    /** Null where others write the log, too. */
    private readonly known: KnownStreams | null,
  ) {}

  append(
    stream: StreamName,
    events: readonly NewEvent[],
    expected: ExpectedRevision,
  ): Promise<Appended> {
    return new Promise((resolve, reject) => {
      invariant(events.length > 0, 'an append has an event');
      if (!stream.isWellFormed() || stream.includes('\0')) throw new UnstorableText(stream);
      const { writer, known } = this;
      const pending: PendingAppend = {
        stream,
        category: categoryOf(stream),
        events,
        data: events.map(({ data }) => storableJson(stream, data)),
        metadata: events.map(({ metadata }) => storableJson(stream, metadata)),
        first: expected === 'no_stream' ? 0 : expected + 1,
        since_ms: this.clock.wall(),
        wait_ended: false,
        position: 0,
        accepted: (stored) => {
          writer.ended(open);
          const { position } = stored.at(-1) as StoredEvent;
          this.head = Math.max(this.head, Number(position));
          known?.appended(stream, stored);
          resolve({ ok: true, events: stored, position });
        },
        refused: () => {
          writer.ended(open);
          known?.forget(stream);
          this.repeatOrStale(pending).then(resolve, reject);
        },
        failed(error) {
          writer.ended(open);
          known?.doubt(stream);
          reject(error as Error);
        },
        endWait: reject,
      };
      this.commits.add(pending);
      const open = writer.began(pending);
    });
  }

  /** The same events at the same place: this append was made before, and is answered as it was then. */
  private async repeatOrStale({ stream, events, first }: PendingAppend): Promise<Appended> {
    const history = await this.reader.load(stream);
    const there = history.slice(first, first + events.length);
    const same = events.every(({ metadata }, index) => there[index]?.metadata.id === metadata.id);
    const last = there.at(-1);
    if (same && last) return { ok: true, events: there, position: last.position };
    return { ok: false, actual: history.at(-1)?.revision ?? null };
  }
}
