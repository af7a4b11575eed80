import { asSentence } from '../as-sentence';

const DATABASE_LOGIN =
  'Give DATABASE_URL the user and password that its server knows; without DATABASE_URL they are those that DATA_DIR began with.';

const DATABASE_AWAY = 'Start it again once the server of DATABASE_URL takes connections.';

/** Why a process cannot start, where a person can mend it, and how. */
const KNOWN_FAULTS: Readonly<Record<string, string>> = {
  SettingsFault: 'The README lists what each setting takes.',
  MasterKeyFault: 'Give the MASTER_KEY that DATA_DIR began with, or none if it began with none.',
  AlreadyRunning: 'Stop the other one, or name another DATA_DIR.',
  LogIsTaken: 'Stop the other one, or name another DATABASE_URL.',
  LogIsElsewhere: 'docs/operations.md tells how a log is moved and restored.',
  EADDRINUSE: 'Stop what listens there, or name another PORT, APPROVAL_PORT, INTERNAL_PORT or METRICS_PORT.',
  EACCES: 'Name another PORT, APPROVAL_PORT, INTERNAL_PORT, METRICS_PORT or DATA_DIR.',
  ENOSPC: 'Make room on the disk of DATA_DIR, or name another.',
  EROFS: 'Name a DATA_DIR that can be written.',
  EADDRNOTAVAIL: 'HOST must be an address of this machine.',
  ENOTFOUND: 'Check HOST and DATABASE_URL.',
  ECONNREFUSED: 'Check that the server of DATABASE_URL runs.',
  // Of Postgres: it is ended, has crashed, is starting up.
  '57P01': DATABASE_AWAY,
  '57P02': DATABASE_AWAY,
  '57P03': DATABASE_AWAY,
  // Of Postgres: the password, the user, the database.
  '28P01': DATABASE_LOGIN,
  '28000': DATABASE_LOGIN,
  '3D000': 'Make that database, or name another in DATABASE_URL.',
};

/** They say themselves what to do. */
const WITH_ADVICE = ['ProgramFault', 'NoKafka', 'PostgresFault', 'DemoFault'];

/** A deploy waits this long for a process to end. */
const END_WITHIN_MS = 30_000;

/** What a person can mend is one sentence; what only we can mend keeps its stack. */
export function explain(name: string, error: unknown): string {
  const { code, name: kind, message, stack } = error as NodeJS.ErrnoException;
  if (WITH_ADVICE.includes(kind)) return `${name} cannot start: ${asSentence(message)}`;
  const known = KNOWN_FAULTS[code ?? kind];
  if (known) return `${name} cannot start: ${asSentence(message)} ${known}`;
  return `${name} cannot start: ${stack ?? message ?? String(error)}`;
}

/**
 * Starts, and ends on SIGINT, SIGTERM or when `end` is called. Exit code 0 when a signal or the end of its parent
 * stopped it, 1 when it could not start or had to end: a supervisor starts it again. What is not ended after
 * `end_within_ms` is left as a crash would leave it.
 */
export async function runUntilStopped<Running extends { stop(): Promise<void> }>(
  name: string,
  start: (end: (within_ms?: number) => void) => Promise<Running>,
  announce: (running: Running) => Promise<void>,
  end_within_ms = END_WITHIN_MS,
): Promise<void> {
  let running: Running | null = null;
  let stopping = false;
  const stop = async (code: number, within_ms = end_within_ms) => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => {
      process.stderr.write(`${name} was not done within ${within_ms} ms and ends as it is.\n`);
      process.exit(code);
    }, within_ms).unref();
    await running?.stop();
    process.exit(code);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop(0));
  // A child of another program ends with it.
  process.once('disconnect', () => void stop(0));
  try {
    running = await start((within_ms) => void stop(1, within_ms));
    if (stopping) {
      await running.stop();
      process.exit(0);
    }
    await announce(running);
  } catch (error) {
    process.stderr.write(`${explain(name, error)}\n`);
    await stop(1);
  }
}
