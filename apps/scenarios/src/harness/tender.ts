import { fork } from 'node:child_process';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../../../..');

export interface Told {
  readonly code: number | NodeJS.Signals | null;
  readonly output: string;
  readonly errors: string;
}

type OnLine = (line: string, kill: (signal: NodeJS.Signals) => void) => void;

/** `tender …`, as an operator types it, without a terminal. `onLine` may end it with the `kill` that it gets. */
export const tender = (
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  onLine?: OnLine,
): Promise<Told> => command('dist/cli.js', args, env, onLine);

/** `npm run exit-wallet -- …`, as a merchant types it who leaves, without a terminal. */
export const exitWallet = (args: readonly string[], onLine?: OnLine): Promise<Told> =>
  command('tools/exit-wallet/dist/main.js', args, {}, onLine);

async function command(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  onLine: OnLine = () => undefined,
): Promise<Told> {
  const child = fork(path.join(ROOT, program), [...args], {
    execArgv: [],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { ...process.env, NODE_OPTIONS: '', ...env },
  });
  let output = '';
  let errors = '';
  child.stdout?.on('data', (chunk) => {
    output += String(chunk);
    for (const line of String(chunk).split('\n').filter(Boolean)) {
      onLine(line, (signal) => child.kill(signal));
    }
  });
  child.stderr?.on('data', (chunk) => (errors += String(chunk)));
  const code = await new Promise<Told['code']>((resolve) =>
    child.once('close', (exit, signal) => resolve(exit ?? signal)),
  );
  return { code, output, errors };
}

/** What a command said without a terminal: an object per line, named by its `line`. */
export const linesOf = (output: string): readonly Record<string, unknown>[] =>
  output.trim().split('\n').map((line) => JSON.parse(line) as Record<string, unknown>);
