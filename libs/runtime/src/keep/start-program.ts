import { fork } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChildRun } from '@tender/eventing';
import { showErrors, stopOfChild, watchChild } from '@tender/kernel';

export interface ProgramOptions {
  /** For people: `payments`, `payments 2`, `signer-a`. */
  readonly name: string;
  /** What `node` runs. */
  readonly main: string;
  readonly node_flags: readonly string[];
  /** Names its ports: a program that is started again is found where it was. */
  readonly env: NodeJS.ProcessEnv;
  /** The Node that runs it; by default that of this process. */
  readonly execPath?: string | undefined;
}

/** A program that could not start: its own sentence says why. */
export class ProgramFault extends Error {
  override readonly name = 'ProgramFault';
}

const STOP_MS = 15_000;
/** Keeps no process alive. */
const grace = (): Promise<void> => sleep(STOP_MS, undefined, { ref: false });

/**
 * Runs a program in a process of its own, which sends one message once it serves: what it says of itself. Rejects when
 * it ends before that, with what it said.
 */
export async function startProgram<Ready extends object>(
  options: ProgramOptions,
): Promise<ChildRun & Ready> {
  const { main, node_flags, env, name, execPath } = options;
  const child = fork(main, [], {
    ...{ env, execArgv: [...node_flags] },
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
    ...(execPath === undefined ? {} : { execPath }),
  });
  const { ended, closed, said } = watchChild(child);
  const ready = await new Promise<Ready>((resolve, reject) => {
    child.once('message', (message) => resolve(message as Ready));
    void closed.then((how) =>
      reject(new ProgramFault(sentenceOf(said()) || `${name} ended (${how}) at start`)),
    );
  });
  showErrors(child, process.stderr);
  return {
    ...ready,
    pid: child.pid ?? null,
    ...{ ended, said },
    ...stopOfChild((name) => child.kill(name), ended, grace),
  };
}

/** What a program said last, without its own name, which stands before it again. */
export const sentenceOf = (said: string): string =>
  said.trim().replace(/^\S+?(?: cannot start)?: /, '');
