import { fork } from 'node:child_process';
import { watchChild } from '@tender/kernel';
import { Unavailable, type Log, type RecoveryParty } from '@tender/eventing';

export interface RecoveryProgram {
  /** Its built file. */
  readonly main: string;
  /** The offline key that its share is sealed to: X25519, base64. */
  readonly recovery_key: string;
  readonly log: Log;
  /** Milliseconds after which it is killed, whatever it does; 60,000 by default. */
  readonly lives_ms?: number;
}

const PART = 'the recovery party';
const LIVES_MS = 60_000;

type Said =
  | { readonly type: 'ready'; readonly identity_key: string }
  | { readonly type?: undefined; readonly id: number; readonly answer: unknown };

/**
 * Starts the process of the share for disasters. Its environment is empty but for the key that it seals to, and all
 * that it hears comes over this process’s pipe: no port, no file. Throws `Unavailable` where it does not begin.
 */
export async function openRecoveryProcess({
  main,
  recovery_key,
  log,
  lives_ms = LIVES_MS,
}: RecoveryProgram): Promise<RecoveryParty> {
  const child = fork(main, [], {
    env: { RECOVERY_KEY: recovery_key },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const { ended, closed, said } = watchChild(child);
  const kill = (): void => void child.kill('SIGKILL');
  const life = setTimeout(kill, lives_ms);
  const waiting = new Map<number, (answer: unknown) => void>();
  const ready = Promise.withResolvers<string>();
  child.on('message', (message: Said) => {
    if (message.type === 'ready') ready.resolve(message.identity_key);
    else waiting.get(message.id)?.(message.answer);
  });
  // Questions that are open when it ends fail.
  const over = closed.then((how) => {
    clearTimeout(life);
    if (said()) log.warn({ how, said: said() }, 'the process of the recovery share wrote to stderr');
    throw new Unavailable(PART, { reason: `its process ended (${how})` });
  });
  over.catch(() => undefined);
  let asked = 0;
  return {
    identity_key: await Promise.race([ready.promise, over]),
    async ask(message) {
      const id = (asked += 1);
      const { promise, resolve } = Promise.withResolvers<unknown>();
      waiting.set(id, resolve);
      // One that has ended says so itself.
      child.send({ id, message }, () => undefined);
      return Promise.race([promise, over]).finally(() => waiting.delete(id));
    },
    async end() {
      // It has nothing to put away, and its memory goes with it.
      kill();
      await ended;
    },
  };
}
