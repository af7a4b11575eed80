import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** Which file is run, by which flags of Node. */
export interface ProgramFile {
  readonly main: string;
  readonly flags: readonly string[];
}

/** A signer in a process of its own. */
export interface Program {
  readonly url: string;
  readonly identity_key: string;
  readonly pid: number;
  /** What its clock is ahead, in ms. */
  ahead(ms: number): Promise<void>;
  /** All that it has said so far. */
  said(): string;
  close(): Promise<void>;
  /** SIGKILL: nothing is given back. */
  kill(): Promise<void>;
}

/** The line with its address. */
const SERVES = /^.*the signer serves.*$/m;
const CLOCK = join(__dirname, 'clock-ahead.cjs');

/** Starts the program of a signer; throws what it said where it ends before it serves. It ends with this process. */
export async function runProgram(
  { main, flags }: ProgramFile,
  env: Readonly<Record<string, string | undefined>>,
  kek: Buffer | null = null,
): Promise<Program> {
  const child = fork(main, [], {
    execArgv: [...flags, '-r', CLOCK],
    env: { PATH: process.env['PATH'], LOG_LEVEL: 'info', ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'ipc'],
  });
  const [, stdout, stderr, pipe] = child.stdio;
  (pipe as NodeJS.WritableStream).on('error', () => undefined);
  (pipe as NodeJS.WritableStream).end(kek ?? Buffer.alloc(0));
  let said = '';
  for (const stream of [stdout, stderr]) {
    stream?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  }
  const closed = once(child, 'close');
  const stop = (signal: NodeJS.Signals) => async () => {
    child.kill(signal);
    await closed;
  };
  const ahead = async (ms: number): Promise<void> => {
    child.send({ ahead_ms: ms });
    for (;;) {
      // The program itself says that it is ready, some time.
      const [told] = (await once(child, 'message')) as [{ type: string }];
      if (told.type === 'ahead') return;
    }
  };
  while (!SERVES.test(said)) {
    if (child.exitCode !== null || child.signalCode !== null) {
      await closed;
      throw new Error(said);
    }
    await Promise.race([once(stdout as NodeJS.ReadableStream, 'data'), once(child, 'exit')]);
  }
  const { url, identity_key } = JSON.parse(SERVES.exec(said)?.[0] as string) as Program;
  const [close, kill] = [stop('SIGTERM'), stop('SIGKILL')];
  return { url, identity_key, pid: child.pid as number, ahead, said: () => said, close, kill };
}
