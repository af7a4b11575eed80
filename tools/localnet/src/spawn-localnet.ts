import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { childEnvironment } from '@tender/kernel';
import { variablesOf } from './environment';
import type { LocalnetNetworks, LocalnetOptions } from './localnet';

export interface SpawnedLocalnet {
  readonly networks: LocalnetNetworks;
  readonly pid: number;
  /** Resolves when the child has ended, for any reason. */
  readonly exited: Promise<{ readonly code: number | null; readonly signal: string | null }>;
  /** Stops it cleanly (SIGTERM, after 10 s SIGKILL) and resolves when it has ended. */
  stop(): Promise<void>;
}

export interface SpawnOptions extends LocalnetOptions {
  /** The Node that runs the child; by default that of this process. */
  readonly execPath?: string | undefined;
  /** Milliseconds until a child that is not ready is killed; 60,000 by default. */
  readonly readyTimeoutMs?: number | undefined;
}

const STOP_MS = 10_000;
/** A small young generation: answers are short-lived, and memory matters more here than speed. */
const HEAP = ['--max-semi-space-size=2'];

/** Beside this file once it is built; from the sources (tests) in the build of this package. */
function entry(): string {
  const built = join(__dirname, 'main.js');
  return existsSync(built) ? built : join(__dirname, '..', 'dist', 'main.js');
}

/** Runs both chains in one child process, which ends when this process does. */
export async function spawnLocalnet(options: SpawnOptions): Promise<SpawnedLocalnet> {
  const { execPath, readyTimeoutMs = 60_000 } = options;
  const child = fork(entry(), [], {
    env: { ...childEnvironment(process.env), ...variablesOf(options) },
    execArgv: HEAP,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    ...(execPath === undefined ? {} : { execPath }),
  });
  let complaints = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    complaints = (complaints + chunk.toString()).slice(-4_000);
    process.stderr.write(chunk);
  });
  const exited = new Promise<{ code: number | null; signal: string | null }>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  const ready = new Promise<LocalnetNetworks>((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`the local chain was not ready after ${readyTimeoutMs} ms`));
    }, readyTimeoutMs);
    // For as long as it runs: a signal that could not be sent is one, too.
    child.on('error', reject);
    child.on('message', (message: { type?: string; networks?: LocalnetNetworks }) => {
      if (message.type !== 'ready' || !message.networks) return;
      clearTimeout(timer);
      resolve(message.networks);
    });
    void exited.then(({ code, signal }) => {
      clearTimeout(timer);
      reject(new Error(`the local chain ended (${signal ?? code}) at start: ${complaints.trim()}`));
    });
  });
  const networks = await ready;
  const stop = async () => {
    child.kill('SIGTERM');
    const killer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
    await exited;
    clearTimeout(killer);
  };
  return { networks, pid: child.pid ?? 0, exited, stop };
}
