import type { ChildProcess } from 'node:child_process';
import type { Writable } from 'node:stream';

const SAID_MAX = 4_000;

/** What is known of a child process once it has ended. */
export interface ChildEnd {
  /** Its signal or exit code, or why it could not be spawned. Resolves however it ends. */
  readonly ended: Promise<string>;
  /** The last of what it has written to stderr. */
  said(): string;
}

/** A child process from its start on. */
export interface WatchedChild extends ChildEnd {
  /** The same as `ended`, once all that it has written is read. */
  readonly closed: Promise<string>;
}

/** Listens to a child from its start on. One that cannot be spawned has ended. */
export function watchChild(child: Pick<ChildProcess, 'on' | 'once' | 'pid' | 'stderr'>): WatchedChild {
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    said = (said + String(chunk)).slice(-SAID_MAX);
  });
  const ended = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(String(signal ?? code)));
    // For as long as it runs: a signal or a message that could not be sent is one, too, and ends nothing.
    child.on('error', ({ message }) => {
      if (child.pid === undefined) resolve(message);
    });
  });
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve())).then(() => ended);
  return { ended, closed, said: () => said.trim() };
}

/** Shows what a child writes to stderr on `shown`, as any number of other children may. */
export function showErrors({ stderr }: Pick<ChildProcess, 'stderr'>, shown: Writable): void {
  // Each child adds listeners to it, and from the eleventh on Node would warn of a leak.
  shown.setMaxListeners(0);
  stderr?.pipe(shown, { end: false });
}

/** How a child is ended. Both resolve once it has. */
export interface ChildStop {
  /** Asks it to end, and ends it when it takes too long. */
  stop(): Promise<void>;
  /** Ends it as a crash would. */
  kill(): Promise<void>;
}

/** `stop` sends SIGTERM and, where it has not ended when `grace` is over, SIGKILL; `kill` sends SIGKILL at once. */
export function stopOfChild(
  signal: (name: 'SIGTERM' | 'SIGKILL') => unknown,
  ended: Promise<unknown>,
  grace: () => Promise<unknown>,
): ChildStop {
  return {
    async stop() {
      let has_ended = false;
      signal('SIGTERM');
      // Its pid may be another program’s once it has ended.
      void grace().then(() => has_ended || signal('SIGKILL'));
      await ended;
      has_ended = true;
    },
    async kill() {
      signal('SIGKILL');
      await ended;
    },
  };
}
