import type { Category, Delays, Log, LogMark, StoredEvent } from '@tender/eventing';
import type { ReadingSide } from './reading-side';
import type { Notice } from './shared-append';
import type { Beat } from './shared-session';

const READ_MAX = 1_000;
const READ_AGAIN_MS = 200;

/**
 * The end of a log that several processes write, as one of them sees it. Own appends come from memory where no other
 * process has appended in between; the rest is read once for all followers of the process, as far as they want it.
 */
export class LogTail {
  /** Up to here everything that the followers want was handed to them or is in the table. */
  private position = 0;
  /** Committed, as far as this process has heard. */
  private newest = 0;
  private wall_ms = 0;
  private last_beat: Beat | null = null;
  private wanted: ReadonlySet<Category> = new Set();
  private feeding = false;
  private closed = false;

  constructor(
    private readonly reading: ReadingSide,
    private readonly delays: Delays,
    private readonly log: Log,
  ) {}

  mark(): LogMark {
    return { position: this.position, wall_ms: this.wall_ms };
  }

  get head(): number {
    return this.newest;
  }

  /** Before there are followers: nothing is read of what is already there. */
  begin(newest: number): void {
    this.reading.recent.reset(newest);
    this.position = this.newest = newest;
  }

  close(): void {
    this.closed = true;
  }

  /** The followers are others: what is in memory may lack what they want. */
  followersChanged(): void {
    const wanted = this.reading.group.categories();
    if ([...wanted].some((category) => !this.wanted.has(category))) {
      this.reading.recent.reset(this.position);
    }
    this.wanted = wanted;
  }

  /** This process has committed them. */
  committed(events: readonly StoredEvent[]): void {
    const first = Number((events[0] as StoredEvent).position);
    const last = Number((events.at(-1) as StoredEvent).position);
    const whole = last - first === events.length - 1;
    if (this.feeding || !whole || first !== this.position + 1) return this.heard(last);
    this.newest = Math.max(this.newest, last);
    this.pass(events, last);
    if (this.newest > last) this.feed();
  }

  /** Another process has committed. */
  noticed({ after, until, categories }: Notice): void {
    const concerns = categories.some((category) => this.wanted.has(category as Category));
    if (concerns || this.feeding || after !== this.position) return this.heard(until);
    this.newest = Math.max(this.newest, until);
    this.pass([], until);
  }

  beat(beat: Beat): void {
    this.last_beat = beat;
    this.heard(beat.newest);
    this.takeWallTime();
    this.reading.group.wakeAll();
  }

  /** The log is at least so long. */
  heard(newest: number): void {
    this.newest = Math.max(this.newest, newest);
    this.feed();
  }

  private feed(): void {
    if (this.feeding || this.closed || this.position >= this.newest) return;
    this.feeding = true;
    this.readOn().then(
      () => {
        this.feeding = false;
        this.feed();
      },
      (error: unknown) => {
        this.feeding = false;
        this.log.warn({ err: error }, 'the event log cannot be read');
        this.delays.after(READ_AGAIN_MS, () => this.feed());
      },
    );
  }

  private async readOn(): Promise<void> {
    while (this.position < this.newest && !this.closed) {
      const { wanted, newest } = this;
      const read =
        wanted.size === 0
          ? []
          : await this.reading.reader.after(wanted, this.position, newest, READ_MAX);
      if (wanted !== this.wanted) continue;
      const last = read.length < READ_MAX ? newest : Number(read.at(-1)?.position);
      this.pass(read, last);
    }
  }

  private pass(events: readonly StoredEvent[], until: number): void {
    this.position = until;
    this.takeWallTime();
    this.reading.passOn(events);
  }

  private takeWallTime(): void {
    const { last_beat } = this;
    if (last_beat && last_beat.newest <= this.position) this.wall_ms = last_beat.wall_ms;
  }
}
