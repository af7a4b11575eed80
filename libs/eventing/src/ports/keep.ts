/** One run of a process that this program has started. */
export interface ChildRun {
  /** Null where there is no process of ours: what runs elsewhere is only used. */
  readonly pid: number | null;
  /** Its signal or exit code. Resolves however it ends. */
  readonly ended: Promise<string>;
  /** The last of what it has written to stderr. */
  said(): string;
  stop(): Promise<void>;
  /** Ends it as a crash would. */
  kill(): Promise<void>;
}

/** A process that is started again whenever it ends by itself. */
export interface Kept<Run extends ChildRun = ChildRun> {
  /** The run that serves now, or was the last to. */
  readonly current: Run;
  /** After `stop` or `kill`. */
  start(): Promise<void>;
  /** Ends it, and it stays ended. */
  stop(): Promise<void>;
  /** The same, as a crash would. */
  kill(): Promise<void>;
}

/**
 * Starts a process under a name for people, and keeps it. `start` resolves when it serves; of the run before, which
 * is null at first, it takes where that was found. Rejects when the first start fails.
 */
export type Keep = <Run extends ChildRun>(
  name: string,
  start: (last: Run | null) => Promise<Run>,
) => Promise<Kept<Run>>;
