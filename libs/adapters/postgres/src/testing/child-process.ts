import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const ROOT = join(__dirname, '../../../../..');

/** A process of a test's own; `file` gets its task, as JSON, in its first argument. */
export class TestProcess {
  readonly messages: unknown[] = [];
  private readonly child: ChildProcess;
  private readonly closed: Promise<void>;
  private has_ended = false;

  constructor(file: string, task: object) {
    this.child = fork(join(__dirname, file), [JSON.stringify(task)], {
      cwd: ROOT,
      execArgv: ['--conditions=source', '-r', './scripts/typescript-hook.cjs'],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.child.on('message', (message) => this.messages.push(message));
    // Unlike `exit` it comes after the last message.
    this.closed = once(this.child, 'close').then(() => void (this.has_ended = true));
  }

  /** Resolves when it has said so many things; rejects when it ends before. */
  async heard(count: number): Promise<void> {
    while (this.messages.length < count) {
      if (this.has_ended) throw new Error('a test process ended too early');
      await Promise.race([once(this.child, 'message'), this.closed]);
    }
  }

  /** Resolves when it has said that, after the first `after` things that it said. */
  async says(what: unknown, after = 0): Promise<void> {
    while (!this.messages.slice(after).includes(what)) {
      await this.heard(this.messages.length + 1);
    }
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  /** Tells it what to do at its next chance, and waits until it knows. */
  async armed(what: string): Promise<void> {
    const before = this.messages.length;
    this.child.send(what);
    await this.says('armed', before);
  }

  /** Asks it to stop itself, with SIGSTOP, where it holds no lock. */
  sleep(): void {
    this.child.send('sleep');
  }

  resume(): void {
    this.child.kill('SIGCONT');
  }

  /** SIGKILL: nothing is given back. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.closed;
  }

  /** Asks it to end in order. */
  async end(): Promise<void> {
    if (this.child.connected) this.child.send('end');
    await this.closed;
  }
}
