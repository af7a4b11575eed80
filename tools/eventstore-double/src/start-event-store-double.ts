import { fork, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  childEnvironment,
  showErrors,
  stopOfChild,
  watchChild,
  type ChildEnd,
  type ChildStop,
  type WatchedChild,
} from '@tender/kernel';
import type { EventStoreDoubleOptions } from './double';
import type { Faults } from './faults';

/** `stop` gives it 10 s. */
export interface EventStoreDouble extends ChildEnd, ChildStop {
  /** `esdb://…`: what `EVENTSTORE_URL` wants. The same after every restart on the same folder. */
  readonly connection_string: string;
  readonly pid: number;
  /** Resolves when these faults, and no others, are in force. `{}` ends them. */
  misbehave(faults: Faults): Promise<void>;
}

export interface StartOptions extends EventStoreDoubleOptions {
  /** The Node that runs it; by default that of this process. */
  readonly execPath?: string | undefined;
}

/** Only ends what hangs. */
const READY_MS = 300_000;
const STOP_MS = 10_000;
/** Keeps no process alive. */
const grace = (): Promise<void> => sleep(STOP_MS, undefined, { ref: false });

/** Beside this file once it is built; from the sources (tests) in the build of this package. */
function entry(): string {
  const built = join(__dirname, 'main.js');
  return existsSync(built) ? built : join(__dirname, '..', 'dist', 'main.js');
}

/** Runs the double in a process of its own, which ends when this one does. */
export async function startEventStoreDouble(options: StartOptions): Promise<EventStoreDouble> {
  const { dataDir, port, execPath } = options;
  const child = fork(entry(), [], {
    env: {
      ...childEnvironment(process.env),
      EVENTSTORE_DOUBLE_DATA_DIR: dataDir,
      EVENTSTORE_DOUBLE_PORT: port === undefined ? '' : String(port),
    },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    ...(execPath === undefined ? {} : { execPath }),
  });
  const watched = watchChild(child);
  const { ended, said } = watched;
  showErrors(child, process.stderr);
  const connection_string = await ready(child, watched);
  let wishes = 0;
  return {
    connection_string,
    pid: child.pid ?? 0,
    ...{ ended, said },
    misbehave(faults) {
      wishes += 1;
      const number = wishes;
      return new Promise((resolve, reject) => {
        const listen = (message: { number?: number }): void => {
          if (message.number !== number) return;
          child.off('message', listen);
          resolve();
        };
        child.on('message', listen);
        child.send({ type: 'misbehave', number, faults }, (error) => error && reject(error));
      });
    },
    ...stopOfChild((name) => child.kill(name), ended, grace),
  };
}

function ready(child: ChildProcess, { closed, said }: WatchedChild): Promise<string> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`the event store double was not ready after ${READY_MS} ms`));
    }, READY_MS);
    child.on('message', (message: { type?: string; url?: string }) => {
      if (message.type !== 'ready' || !message.url) return;
      clearTimeout(timer);
      resolve(message.url);
    });
    void closed.then((how) => {
      clearTimeout(timer);
      reject(new Error(`the event store double ended (${how}) at start: ${said()}`));
    });
  });
}
