import type { ChildProcess } from 'node:child_process';

const SAID_MAX = 4_000;

/** What is known of a child process once it has ended. */
export interface ChildEnd {
  /** Its signal or exit code. Resolves however it ends. */
  readonly ended: Promise<string>;
  /** The last of what it has written to stderr. */
  said(): string;
}

/** Listens to a child from its start on. */
export function watchChild(child: Pick<ChildProcess, 'once' | 'stderr'>): ChildEnd {
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    said = (said + String(chunk)).slice(-SAID_MAX);
  });
  const ended = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(String(signal ?? code)));
  });
  return { ended, said: () => said.trim() };
}
