import type { Clock } from '@tender/kernel';
import { Unavailable, type Log } from '@tender/eventing';
import type { PendingAppend } from './event-rows';
import type { GroupCommit } from './group-commit';
import { OpenAppends, type OpenAppend } from './open-appends';
import type { WriterSession } from './writer-session';

export interface WriterConnectionOptions<Session extends WriterSession = WriterSession> {
  readonly openSession: (onLost: (error: Error) => void) => Promise<Session>;
  readonly append_timeout_ms: number;
  readonly commits: GroupCommit;
  readonly clock: Pick<Clock, 'wall'>;
  readonly log: Log;
  /** Appends may come. */
  readonly onOpen: (session: Session) => void;
}

const SWEEP_MS = 500;
const STUCK_MS = 15_000;
const RECONNECT_MIN_MS = 50;
const RECONNECT_MAX_MS = 2_000;
const CLOSE_WAIT_MS = 5_000;

/**
 * Keeps the writer connected. Any lost connection ends the whole session: callers hear `Unavailable`, the
 * lock is taken again, and the end of the log is read anew.
 */
export class WriterConnection<Session extends WriterSession = WriterSession> {
  private session: Session | null = null;
  private closed = false;
  private readonly open_appends = new OpenAppends();
  /** Oldest call whose outcome went down with a session. */
  private in_the_dark_ms = Number.POSITIVE_INFINITY;
  private reconnecting: Promise<void> | null = null;
  /** While a call waits. */
  private sweeping: NodeJS.Timeout | null = null;

  constructor(private readonly options: WriterConnectionOptions<Session>) {}

  async start(): Promise<void> {
    await this.connect();
  }

  async close(): Promise<void> {
    this.closed = true;
    this.options.commits.refuseNew();
    this.stopSweeping();
    const deadline = performance.now() + CLOSE_WAIT_MS;
    const { commits } = this.options;
    while (!commits.isQuiet && performance.now() < deadline) await pause(5);
    commits.lose(new Error('closed'));
    await this.reconnecting;
    await this.session?.end();
    this.session = null;
  }

  began(append: PendingAppend): OpenAppend {
    this.sweeping ??= setInterval(() => this.sweep(), SWEEP_MS).unref();
    return this.open_appends.enter(append);
  }

  ended(open: OpenAppend): void {
    this.open_appends.leave(open);
  }

  /** Wall time (ms) of the oldest call that may still add an event. */
  oldestOpen(): number {
    return Math.min(
      this.open_appends.oldest?.since_ms ?? Number.POSITIVE_INFINITY,
      this.options.commits.oldest(),
      this.in_the_dark_ms,
    );
  }

  lost(error: Error): void {
    const { commits, log } = this.options;
    if (this.closed || this.reconnecting || !commits.isOpen) return;
    log.warn({ err: error }, 'the event log lost its connection');
    this.in_the_dark_ms = this.oldestOpen();
    const session = this.session;
    this.session = null;
    commits.lose(error);
    this.reconnecting = this.reconnect(session).finally(() => {
      this.reconnecting = null;
    });
  }

  private async reconnect(session: Session | null): Promise<void> {
    await session?.end();
    let delay_ms = RECONNECT_MIN_MS;
    while (!this.closed) {
      try {
        await this.connect();
        this.options.log.info({}, 'the event log is connected again');
        return;
      } catch (error) {
        this.options.log.warn({ err: error, delay_ms }, 'the event log cannot be reached');
        await pause(delay_ms);
        delay_ms = Math.min(delay_ms * 2, RECONNECT_MAX_MS);
      }
    }
  }

  private async connect(): Promise<void> {
    const { openSession, commits, onOpen } = this.options;
    let broken: Error | null = null;
    let current: Session | null = null;
    const session = await openSession((error) => {
      broken = error;
      if (current && this.session === current) this.lost(error);
    });
    current = session;
    try {
      if (this.closed || broken) throw broken ?? new Error('closed');
      await commits.open(session.position_max + 1, session.openCommitter);
    } catch (error) {
      await session.end();
      throw error;
    }
    this.session = session;
    this.in_the_dark_ms = Number.POSITIVE_INFINITY;
    onOpen(session);
  }

  private stopSweeping(): void {
    if (this.sweeping) clearInterval(this.sweeping);
    this.sweeping = null;
  }

  private sweep(): void {
    if (this.open_appends.oldest === null) return this.stopSweeping();
    const { clock, commits, append_timeout_ms } = this.options;
    const now_ms = clock.wall();
    for (const append of this.open_appends) {
      // In order of arrival: the first young one ends the search.
      if (now_ms - append.since_ms < append_timeout_ms) break;
      if (append.wait_ended) continue;
      append.wait_ended = true;
      const reason = `no answer in ${append_timeout_ms} ms`;
      append.endWait(new Unavailable('event log', { reason }));
    }
    const started_ms = commits.longestUnderWay();
    if (started_ms !== null && performance.now() - started_ms > STUCK_MS) {
      this.lost(new Error(`an append is stuck for ${STUCK_MS} ms`));
    }
  }
}

const pause = (delay_ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, delay_ms);
  });
