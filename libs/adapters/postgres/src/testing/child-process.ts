import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const ROOT = join(__dirname, '../../../../..');

/** A process of a test's own; `file` gets its task, as JSON, in its first argument. */
export class TestProcess {
  readonly messages: unknown[] = [];
  private readonly child: ChildProcess;

  constructor(file: string, task: object) {
    this.child = fork(join(__dirname, file), [JSON.stringify(task)], {
      cwd: ROOT,
      execArgv: ['--conditions=source', '-r', './scripts/typescript-hook.cjs'],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.child.on('message', (message) => this.messages.push(message));
  }

  /** Resolves when it has said so many things; rejects when it ends before. */
  async heard(count: number): Promise<void> {
    while (this.messages.length < count) {
      if (this.hasEnded()) throw new Error('a test process ended too early');
      await Promise.race([once(this.child, 'message'), once(this.child, 'exit')]);
    }
  }

  /** Resolves when it has said that, after the first `after` things that it said. */
  async says(what: unknown, after = 0): Promise<void> {
    while (!this.messages.slice(after).includes(what)) {
      await this.heard(this.messages.length + 1);
    }
  }

  pause(): void {
    this.child.kill('SIGSTOP');
  }

  resume(): void {
    this.child.kill('SIGCONT');
  }

  /** SIGKILL: nothing is given back. */
  async kill(): Promise<void> {
    if (this.hasEnded()) return;
    const ended = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await ended;
  }

  /** Asks it to end in order. */
  async end(): Promise<void> {
    if (this.hasEnded()) return;
    const ended = once(this.child, 'exit');
    this.child.send('end');
    await ended;
  }

  private hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }
}
