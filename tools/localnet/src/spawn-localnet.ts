import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  childEnvironment,
  MODES,
  showErrors,
  stopOfChild,
  watchChild,
  type ChildEnd,
  type ChildStop,
} from '@tender/kernel';
import { variablesOf } from './environment';
import type { LocalnetNetworks, LocalnetOptions } from './localnet';

/** `stop` gives it 10 s. */
export interface SpawnedLocalnet extends ChildEnd, ChildStop {
  readonly networks: LocalnetNetworks;
  readonly pid: number;
}

export interface SpawnOptions extends LocalnetOptions {
  /** The Node that runs the child; by default that of this process. */
  readonly execPath?: string | undefined;
  /** Milliseconds until a child that is not ready is killed; 60,000 by default. */
  readonly readyTimeoutMs?: number | undefined;
}

const STOP_MS = 10_000;
/** Keeps no process alive. */
const grace = (): Promise<void> => sleep(STOP_MS, undefined, { ref: false });
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
  const { ended, closed, said } = watchChild(child);
  showErrors(child, process.stderr);
  const ready = new Promise<LocalnetNetworks>((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`the local chain was not ready after ${readyTimeoutMs} ms`));
    }, readyTimeoutMs);
    child.on('message', (message: { type?: string; networks?: LocalnetNetworks }) => {
      if (message.type !== 'ready' || !message.networks) return;
      clearTimeout(timer);
      resolve(message.networks);
    });
    void closed.then((how) => {
      clearTimeout(timer);
      reject(new Error(`the local chain ended (${how}) at start: ${said()}`));
    });
  });
  const networks = await ready;
  const stop = stopOfChild((name) => child.kill(name), ended, grace);
  return { networks, pid: child.pid ?? 0, ended, said, ...stop };
}

/** While nobody uses a chain, programs that follow it read a fifth of the usual blocks. */
const REST_SLOT_MS = 2_000;

/** Runs both chains on their folder: at first where there is room, again where they were. */
export const localnetIn =
  (dataDir: string) =>
  (last: SpawnedLocalnet | null): Promise<SpawnedLocalnet> =>
    spawnLocalnet({
      dataDir,
      restSlotMs: REST_SLOT_MS,
      ports: last ? portsOf(last.networks) : undefined,
    });

function portsOf(networks: LocalnetNetworks): NonNullable<SpawnOptions['ports']> {
  const ports = MODES.map((mode) => [mode, Number(new URL(networks[mode].rpc_url).port)]);
  return Object.fromEntries(ports) as NonNullable<SpawnOptions['ports']>;
}
