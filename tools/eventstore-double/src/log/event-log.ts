import { FrameFile } from './frame-file';

/** An event as its writer proposed it. Data and metadata are bytes: nothing here reads them. */
export interface Proposed {
  readonly id: string;
  readonly type: string;
  readonly content_type: string;
  readonly data: Buffer;
  readonly metadata: Buffer;
}

export interface Recorded extends Proposed {
  readonly stream: string;
  readonly revision: number;
  /** Byte offset in the file. */
  readonly position: number;
  /** Ticks of 100 ns since 1970. */
  readonly created: string;
}

export type Outcome =
  | { readonly ok: true; readonly revision: number; readonly position: number }
  | { readonly ok: false; readonly current: number | null };

interface Entry {
  readonly stream: string;
  readonly revision: number;
  readonly id: string;
  readonly offset: number;
  readonly length: number;
}

/** What a frame holds; `left` events of the same append follow, so that an append is whole or nothing. */
interface Body {
  readonly stream: string;
  readonly revision: number;
  readonly left: number;
  readonly id: string;
  readonly type: string;
  readonly content_type: string;
  readonly data: string;
  readonly metadata: string;
  readonly created: string;
}

/** So that the first event's position is not 0. */
const MARK = Buffer.from('tender eventstore double 1');
const RECENT_MAX = 4_096;
const TICKS_PER_MS = 10_000n;

/** All events in one file, their places in memory. */
export class EventLog {
  private readonly file: FrameFile;
  private readonly entries: Entry[] = [];
  private readonly streams = new Map<string, number[]>();
  private readonly recent = new Map<number, Recorded>();
  /** Events that are on the disk; only these are shown. */
  private shown = 0;
  private listeners = new Set<() => void>();

  constructor(
    path: string,
    private readonly wall: () => number,
  ) {
    this.file = new FrameFile(path, (end) => this.show(end));
    this.recover();
  }

  get length(): number {
    return this.shown;
  }

  /** Answers when the outcome is on the disk: also a refusal, as it may rest on what is being written. */
  async append(stream: string, events: readonly Proposed[], first: number): Promise<Outcome> {
    const outcome = this.decide(stream, events, first);
    await this.file.flushed();
    return outcome;
  }

  private decide(stream: string, events: readonly Proposed[], first: number): Outcome {
    const history = this.streams.get(stream) ?? [];
    if (history.length !== first) return this.repeatOrStale(history, events, first);
    const created = String(BigInt(Math.trunc(this.wall())) * TICKS_PER_MS);
    events.forEach((event, index) => {
      this.write({
        ...{ stream, revision: first + index, left: events.length - 1 - index, created },
        ...{ id: event.id, type: event.type, content_type: event.content_type },
        ...{ data: event.data.toString('base64'), metadata: event.metadata.toString('base64') },
      });
    });
    const last = this.entries.at(-1) as Entry;
    return { ok: true, revision: last.revision, position: last.offset };
  }

  /** As EventStoreDB documents it: the same ids at the same place are a repeat, anything else is stale. */
  private repeatOrStale(
    history: readonly number[],
    events: readonly Proposed[],
    first: number,
  ): Outcome {
    const there = history.slice(first, first + events.length).map((index) => this.entries[index]);
    const last = there.at(-1);
    if (last && events.every(({ id }, index) => there[index]?.id === id)) {
      return { ok: true, revision: last.revision, position: last.offset };
    }
    return { ok: false, current: history.length > 0 ? history.length - 1 : null };
  }

  private write(body: Body): void {
    const bytes = Buffer.from(JSON.stringify(body));
    const offset = this.file.add(bytes);
    this.index(body, offset, bytes.length);
  }

  private index({ stream, revision, id }: Body, offset: number, length: number): void {
    const own = this.streams.get(stream) ?? [];
    this.streams.set(stream, own);
    own.push(this.entries.length);
    this.entries.push({ stream, revision, id, offset, length });
  }

  /** How many events the stream has; null where it does not exist. */
  lengthOf(stream: string): number | null {
    const own = this.streams.get(stream) ?? [];
    let count = own.length;
    while (count > 0 && (own[count - 1] as number) >= this.shown) count -= 1;
    return count === 0 ? null : count;
  }

  /** The n-th event of a stream. */
  ofStream(stream: string, revision: number): Recorded {
    return this.at((this.streams.get(stream) as number[])[revision] as number);
  }

  /** The n-th event of the log. */
  at(index: number): Recorded {
    const known = this.recent.get(index);
    if (known) return known;
    const { offset, length } = this.entries[index] as Entry;
    const body = JSON.parse(this.file.read(offset, length).toString()) as Body;
    const event: Recorded = {
      ...{ stream: body.stream, revision: body.revision, position: offset, created: body.created },
      ...{ id: body.id, type: body.type, content_type: body.content_type },
      data: Buffer.from(body.data, 'base64'),
      metadata: Buffer.from(body.metadata, 'base64'),
    };
    this.recent.set(index, event);
    const oldest = this.recent.keys().next().value as number;
    if (this.recent.size > RECENT_MAX) this.recent.delete(oldest);
    return event;
  }

  streamAt(index: number): string {
    return (this.entries[index] as Entry).stream;
  }

  positionAt(index: number): number {
    return (this.entries[index] as Entry).offset;
  }

  /** Index of the first event whose position is `position` or later. */
  indexFrom(position: number): number {
    let low = 0;
    let high = this.shown;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.positionAt(middle) < position) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Runs `work` whenever there is more to read; the function that it returns unsubscribes. */
  onMore(work: () => void): () => void {
    this.listeners.add(work);
    return () => this.listeners.delete(work);
  }

  close(): Promise<void> {
    return this.file.close();
  }

  private show(end: number): void {
    while (this.shown < this.entries.length && this.positionAt(this.shown) < end) this.shown += 1;
    for (const listener of [...this.listeners]) listener();
  }

  private recover(): void {
    let whole = 0;
    let group: [Body, number, number][] = [];
    for (const { offset, length, body } of this.file.frames()) {
      if (offset === 0) {
        if (!body.equals(MARK)) throw new Error('the file is not a log of this program');
        whole = length + 8;
        continue;
      }
      const event = JSON.parse(body.toString()) as Body;
      group.push([event, offset, length]);
      if (event.left > 0) continue;
      for (const each of group) this.index(...each);
      group = [];
      whole = offset + length + 8;
    }
    if (whole < this.file.end) this.file.cut(whole);
    if (whole === 0) this.file.add(MARK);
    this.shown = this.entries.length;
  }
}
