import { fork } from 'node:child_process';
import type { ChildRun } from '@tender/eventing';
import { watchChild } from '@tender/kernel';

export interface ServiceOptions {
  /** For people: `payments`, `payments 2`. */
  readonly name: string;
  /** The service's `dist/main.js`. */
  readonly main: string;
  readonly node_flags: readonly string[];
  /** Names its ports: a service that is started again is found where it was. */
  readonly env: NodeJS.ProcessEnv;
  /** The Node that runs it; by default that of this process. */
  readonly execPath?: string | undefined;
}

/** A service that could not start: its own sentence says why. */
export class ServiceFault extends Error {
  override readonly name = 'ServiceFault';
}

/** What a service says once it serves. */
export interface ServiceReady {
  readonly url: string;
  readonly admin_token?: string;
  readonly metrics_port: number | null;
}

export interface RunningService extends ChildRun, ServiceReady {}

const STOP_MS = 15_000;

/** Runs a service in a process of its own. Rejects when it ends before it serves, with what it said. */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const { main, node_flags, env, name, execPath } = options;
  const child = fork(main, [], {
    ...{ env, execArgv: [...node_flags] },
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
    ...(execPath === undefined ? {} : { execPath }),
  });
  const { ended, closed, said } = watchChild(child);
  const ready = await new Promise<ServiceReady>((resolve, reject) => {
    child.once('message', (message) => resolve(message as ServiceReady));
    void closed.then((how) => {
      const sentence = said().replace(/^\S+ cannot start: /, '');
      reject(new ServiceFault(sentence || `${name} ended (${how}) at start`));
    });
  });
  child.stderr?.pipe(process.stderr, { end: false });
  return {
    ...ready,
    pid: child.pid ?? null,
    ...{ ended, said },
    async stop() {
      child.kill('SIGTERM');
      const killer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
      await ended;
      clearTimeout(killer);
    },
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
