// What every script says and how it says it.
import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

export const say = (line) => process.stderr.write(`tender: ${line}\n`);

/** Says what is wrong and what to do next, and ends. */
export function fail(problem, advice) {
  say(problem);
  if (advice) say(advice);
  process.exit(1);
}

/** Runs a program to its end in the project's folder; answers the exit code. Says that it still runs. */
export async function run(program, args, { env = process.env, waiting } = {}) {
  const started = Date.now();
  const child = spawn(program, args, { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'] });
  const timer = waiting
    ? setInterval(() => say(`${waiting}: ${seconds(started)} so far`), 10_000)
    : undefined;
  const code = await new Promise((resolve) => {
    child.once('error', (error) => {
      say(`${program}: ${error.message}`);
      resolve(1);
    });
    child.once('exit', (exitCode, signal) => resolve(signal ? 1 : exitCode));
  });
  clearInterval(timer);
  return code;
}

/** Runs a program to its end in the project's folder: `{ code, output }`, with all that it said, in the order of saying. */
export function collect(program, args, { env = process.env } = {}) {
  const child = spawn(program, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk) => (output += chunk));
  }
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ code: 1, output: `${program}: ${error.message}\n` }));
    child.once('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

export const seconds = (since) => `${((Date.now() - since) / 1000).toFixed(1)} s`;
