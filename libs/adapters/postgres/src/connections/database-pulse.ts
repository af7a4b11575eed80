import { DatabaseError, type Pool } from 'pg';
import type { Delays, Log } from '@tender/eventing';
import type { Cuttable } from './cuttable-pool';
import { promptPool } from './prompt-pool';
import { realDelays } from './real-delays';

export interface DatabasePulseOptions {
  readonly connectionString: string;
  /** What is cut off while the database does not answer. */
  readonly cuttable: readonly Cuttable[];
  readonly log: Log;
  readonly delays?: Delays;
  /** Asks the database, and rejects when it does not answer in time; over a connection of its own by default. */
  readonly ask?: () => Promise<unknown>;
}

const EVERY_MS = 1_000;
/** One alone may be this process's own, which was paused. */
const SILENCES = 2;

/**
 * Asks the database each second while something waits for it. While it does not answer, what waits fails at once: a
 * server that hangs, or a network that drops what is sent, would otherwise hold requests and work for minutes.
 */
export function databasePulse(options: DatabasePulseOptions): { close(): Promise<void> } {
  const { cuttable, log, delays = realDelays } = options;
  const { connectionString } = options;
  const own = { connectionString, application_name: 'tender pulse' };
  const pool = options.ask ? null : promptPool(own, log, 'the pulse lost its connection');
  const ask = options.ask ?? (() => (pool as Pool).query('select 1'));
  /** A process that starts on a busy machine is given longer than this for its first connection. */
  let heard = false;
  let silences = 0;
  let restored: readonly (() => void)[] = [];
  let closed = false;
  let wake = (): void => undefined;
  const beating = beat();

  return {
    async close() {
      closed = true;
      wake();
      await pool?.end();
      await beating;
      restore();
    },
  };

  function isAwaited(): boolean {
    return !heard || silences > 0 || cuttable.some((one) => one.isWaiting());
  }

  async function beat(): Promise<void> {
    while (!closed) {
      try {
        if (isAwaited()) await ask();
        restore();
        heard = true;
        silences = 0;
      } catch (error) {
        // A refusal in words, such as of one connection too many, is an answer.
        silences = error instanceof DatabaseError ? 0 : silences + 1;
        if (heard && silences === SILENCES && !closed) cut(error);
      }
      if (!closed) await pause();
    }
  }

  function cut(error: unknown): void {
    log.warn({ err: error }, 'the database does not answer: what waits for it fails now');
    restored = cuttable.map((one) => one.cutOff());
  }

  function restore(): void {
    if (restored.length > 0) log.info({}, 'the database answers again');
    for (const undo of restored) undo();
    restored = [];
  }

  function pause(): Promise<void> {
    return new Promise((resolve) => {
      const cancel = delays.after(EVERY_MS, resolve);
      wake = () => {
        cancel();
        resolve();
      };
    });
  }
}
