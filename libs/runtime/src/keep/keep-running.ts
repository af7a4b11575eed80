import type { ChildRun, Delays, Keep, Kept } from '@tender/eventing';
import { asSentence } from '../as-sentence';

/** What becomes of a kept process. */
export interface ChildNews {
  readonly type: 'serving' | 'ended';
  readonly name: string;
  readonly pid: number | null;
  /** Of one that ended: signal or exit code, or why it could not be started. */
  readonly how?: string;
  /** The last of what it has written to stderr. */
  readonly said?: string;
  /** Milliseconds until it is started again. */
  readonly again_ms?: number;
}

/** A process that does not stay: it has been tried often enough. */
export class ChildFault extends Error {
  override readonly name = 'ChildFault';
}

export interface KeepOptions {
  readonly delays: Delays;
  readonly tell: (news: ChildNews) => void;
  /** Aborted when the program ends: Ctrl-C ends its children beside it. */
  readonly over: AbortSignal;
  /** Called at most once for each process; it is not started again then. */
  readonly giveUp: (fault: ChildFault) => void;
}

/** Failures in a row, after which a process is given up. */
export const FAILURES_MAX = 6;
/** One that ends sooner, by itself, has not started well. */
const SETTLED_MS = 10_000;
const AGAIN_MIN_MS = 200;
const AGAIN_MAX_MS = 5_000;
/** Where it may only want for another. */
const AGAIN_LACKING_MS = 1_000;
/** A process ends before its pipe is read to the end. */
const LAST_WORDS_MS = 50;

/**
 * Keeps processes: one that ends is named and started again, after a pause that doubles with each failure in a row
 * (0.2 s to 5 s). A failure is a start that fails, or an end by itself within 10 s of serving; after the sixth in a row
 * the process is given up. One that was killed while it served has not failed, and no failure counts while a process
 * that served before this one was first started is down: it may be what is missing.
 */
export const keepRunning = (options: KeepOptions): Keep => {
  const serving: Serving[] = [];
  return async (name, start) => {
    const kept = new KeptProcess(name, start, options, [...serving]);
    await kept.start();
    serving.push(kept);
    return kept;
  };
};

interface Serving {
  readonly serves: boolean;
}

class KeptProcess<Run extends ChildRun> implements Kept<Run>, Serving {
  serves = false;
  private run: Run | null = null;
  private wanted = false;
  private failures = 0;
  /** Watches the run, and starts the next ones. */
  private keeping: Promise<void> = Promise.resolve();
  private cutPause = (): void => undefined;

  constructor(
    private readonly name: string,
    private readonly begin: (last: Run | null) => Promise<Run>,
    private readonly options: KeepOptions,
    private readonly earlier: readonly Serving[],
  ) {}

  get current(): Run {
    if (!this.run) throw new Error(`${this.name} has not been started`);
    return this.run;
  }

  async start(): Promise<void> {
    if (this.wanted) return;
    this.wanted = true;
    this.failures = 0;
    try {
      await this.serve();
    } catch (error) {
      this.wanted = false;
      throw error;
    }
    this.keeping = this.keep();
  }

  stop(): Promise<void> {
    return this.end('stop');
  }

  kill(): Promise<void> {
    return this.end('kill');
  }

  private async end(how: 'stop' | 'kill'): Promise<void> {
    this.wanted = false;
    this.cutPause();
    await this.run?.[how]();
    await this.keeping;
  }

  private async serve(): Promise<void> {
    const run = await this.begin(this.run);
    this.run = run;
    this.serves = true;
    if (this.wanted) this.options.tell({ type: 'serving', name: this.name, pid: run.pid });
    // It was stopped meanwhile.
    else await run.stop();
  }

  private get isKept(): boolean {
    return this.wanted && !this.options.over.aborted;
  }

  private get lacks(): boolean {
    return this.earlier.some(({ serves }) => !serves);
  }

  private async keep(): Promise<void> {
    let end = await this.untilItEnds(this.current);
    let lacking = false;
    while (this.isKept) {
      // The other may have come back since this one began.
      const excused = end.failed && (lacking || this.lacks);
      if (!excused) this.failures = end.failed ? this.failures + 1 : 0;
      if (this.failures === FAILURES_MAX) return this.giveUp(end);
      const growing_ms = Math.min(AGAIN_MIN_MS * 2 ** this.failures, AGAIN_MAX_MS);
      const again_ms = excused ? AGAIN_LACKING_MS : growing_ms;
      const { pid, how, said } = end;
      this.options.tell({ type: 'ended', name: this.name, pid, how, said, again_ms });
      await this.pause(again_ms);
      if (!this.isKept) return;
      lacking = this.lacks;
      try {
        await this.serve();
        end = await this.untilItEnds(this.current);
      } catch (error) {
        end = { pid: null, how: (error as Error).message, said: '', failed: true };
      }
    }
  }

  private async untilItEnds(run: Run) {
    let settled = false;
    const cancel = this.options.delays.after(SETTLED_MS, () => (settled = true));
    const how = await run.ended;
    this.serves = false;
    cancel();
    if (this.wanted) await this.pause(LAST_WORDS_MS);
    // Who is killed has been ended by a person, or for want of memory.
    return { pid: run.pid, how, said: run.said(), failed: !settled && how !== 'SIGKILL' };
  }

  private giveUp({ how, said }: { readonly how: string; readonly said: string }): void {
    this.wanted = false;
    const words = said ? ` It said: ${said.split('\n').at(-1)}` : '';
    const tries = `${this.name} has failed to start ${FAILURES_MAX} times in a row, the last time: ${asSentence(how)}`;
    this.options.giveUp(new ChildFault(tries + words));
  }

  private pause(delay_ms: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.options.delays.after(delay_ms, resolve);
      this.cutPause = () => {
        cancel();
        resolve();
      };
    });
  }
}
