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
  /** What a person answers, null at Ctrl-C or Ctrl-D; only where there is a terminal to answer at. */
  ask(question: string): Promise<string | null>;
  /** Replaces what was drawn before; only at a terminal. */
  draw(line: string): void;
  /** Monotonic milliseconds. */
  now(): number;
  /** Called at the first Ctrl-C, and when there is no terminal or reader any more. */
  onInterrupt(listener: () => void): void;
}

const WIDTH = 80;

/** Of a pipe that nothing reads any more, as after `| head`, and of a terminal that was closed. */
const GONE = new Set(['EPIPE', 'EIO', 'ERR_STREAM_DESTROYED']);

/** What cannot be written, because its reader has gone, is dropped; another fault of the stream is one. */
function endQuietly(error: NodeJS.ErrnoException): void {
  if (!GONE.has(error.code ?? '')) throw error;
}

/** The streams of this process. A command whose reader has gone comes to its end, or hears it by `onInterrupt`. */
export function processTerminal(): Terminal {
  const { stdin, stdout, stderr, env } = process;
  stdout.on('error', endQuietly);
  stderr.on('error', endQuietly);
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
      const given_up = new AbortController();
      // While it reads, the terminal hands over Ctrl-C as a key.
      for (const end of ['SIGINT', 'close'] as const) lines.once(end, () => given_up.abort());
      try {
        return await lines.question(question, { signal: given_up.signal });
      } catch (error) {
        if (!given_up.signal.aborted) throw error;
        stdout.write('\n');
        return null;
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

/** The same for a program, whatever is at the other end: `--json`. */
export const forProgram = (terminal: Terminal): Terminal => ({
  ...terminal,
  ...{ is_terminal: false, can_ask: false, colours: false, width: Infinity },
});
