import { createInterface } from 'node:readline/promises';

/** Where the command writes: to a person at a terminal, or to a program that reads lines. */
export interface Terminal {
  readonly is_terminal: boolean;
  /** A person is there who can answer. */
  readonly can_ask: boolean;
  readonly colours: boolean;
  /** Characters in a line; Infinity without a terminal. */
  readonly width: number;
  /** To standard output, a line. */
  say(line: string): void;
  /** To standard error, a line. */
  complain(line: string): void;
  /** What a person answers; only where there is a terminal to answer at. */
  ask(question: string): Promise<string>;
  /** Replaces what was drawn before; only at a terminal. */
  draw(line: string): void;
  /** Monotonic milliseconds. */
  now(): number;
  /** Called at the first Ctrl-C, and when there is no terminal or reader any more. */
  onInterrupt(listener: () => void): void;
}

const WIDTH = 80;

export function processTerminal(): Terminal {
  const { stdin, stdout, stderr, env } = process;
  const is_terminal = stdout.isTTY === true;
  let drawn = false;
  const clear = (): void => {
    if (drawn) stdout.write('\r\u001b[K');
    drawn = false;
  };
  return {
    is_terminal,
    can_ask: is_terminal && stdin.isTTY === true,
    // https://no-color.org: any value but the empty one.
    colours: is_terminal && !env['NO_COLOR'] && env['TERM'] !== 'dumb',
    get width() {
      return is_terminal ? stdout.columns || WIDTH : Infinity;
    },
    say(line) {
      clear();
      stdout.write(`${line}\n`);
    },
    complain(line) {
      clear();
      stderr.write(`${line}\n`);
    },
    async ask(question) {
      clear();
      const lines = createInterface({ input: stdin, output: stdout });
      try {
        return await lines.question(question);
      } finally {
        lines.close();
      }
    },
    draw(line) {
      clear();
      stdout.write(line);
      drawn = true;
    },
    now: () => performance.now(),
    onInterrupt(listener) {
      process.once('SIGINT', listener);
      process.once('SIGTERM', listener);
      process.once('SIGHUP', listener);
      stdout.on('error', listener);
    },
  };
}
