import { fork, type ChildProcess, type ForkOptions } from 'node:child_process';
import { once } from 'node:events';

const LAST_WORDS_MAX = 4_000;

/** A process that the bench started, and what it says over IPC. */
export class Child {
  private last_words = '';

  private constructor(
    private readonly process: ChildProcess,
    readonly name: string,
  ) {
    for (const stream of [process.stdout, process.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        this.last_words = (this.last_words + String(chunk)).slice(-LAST_WORDS_MAX);
      });
    }
  }

  static start(file: string, options: ForkOptions & { args?: string[] } = {}): Child {
    const { args = [], ...rest } = options;
    const stdio = ['ignore', 'pipe', 'pipe', 'ipc'] as const;
    const child = fork(file, args, { execArgv: [], stdio: [...stdio], ...rest });
    return new Child(child, file);
  }

  get pid(): number {
    return this.process.pid as number;
  }

  send(message: object): void {
    this.process.send(message);
  }

  /** The next message of which `is` holds; rejects when the process ends instead. */
  async message<Message>(is: (message: Message) => boolean = () => true): Promise<Message> {
    const { exitCode, signalCode } = this.process;
    if (exitCode !== null || signalCode !== null) throw this.ended(exitCode ?? signalCode);
    const stop = new AbortController();
    try {
      return await Promise.race([
        this.firstMessage(is, stop.signal),
        once(this.process, 'exit', stop).then(([code, signal]) => {
          throw this.ended((code ?? signal) as number | string);
        }),
      ]);
    } finally {
      stop.abort();
    }
  }

  /** Listens without a pause: two messages may come in one turn. */
  private firstMessage<Message>(
    is: (message: Message) => boolean,
    signal: AbortSignal,
  ): Promise<Message> {
    return new Promise((resolve) => {
      const look = (message: unknown): void => {
        if (is(message as Message)) resolve(message as Message);
      };
      this.process.on('message', look);
      signal.addEventListener('abort', () => this.process.off('message', look));
    });
  }

  private ended(how: number | string | null): Error {
    return new Error(`${this.name} ended with ${how}:\n${this.last_words}`);
  }

  /** Asks for `message` and waits for the answer to it. */
  async ask<Answer>(message: object): Promise<Answer> {
    const answer = this.message<{ result: Answer } | { failure: string }>();
    this.send(message);
    const got = await answer;
    if ('failure' in got) throw new Error(`${this.name}: ${got.failure}`);
    return got.result;
  }

  /** As Ctrl-C does; the answer comes when it is gone. Throws when it has gone before. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    const { exitCode, signalCode } = this.process;
    if (exitCode !== null || signalCode !== null) throw this.ended(exitCode ?? signalCode);
    const ended = once(this.process, 'exit');
    this.process.kill(signal);
    await ended;
  }
}
