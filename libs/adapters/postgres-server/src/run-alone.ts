import { setTimeout as sleep } from 'node:timers/promises';
import { watchChild } from '@tender/kernel';
import type { Account } from './account';
import { PostgresFault } from './postgres-fault';
import { ENVIRONMENT, PASSING, RETRY_EVERY_MS, RETRY_MS, SETTINGS, settingArguments } from './settings';

/**
 * Runs statements as the superuser, on the files of a server that does not run, in one process without a
 * socket (`postgres --single`). This is the only way to the superuser: who owns the files has it anyway,
 * and no password or key opens it to anyone else. The first statement that fails ends it; what was
 * committed before stays.
 */
export async function runAlone(
  account: Account,
  cluster: string,
  database: string,
  statements: readonly string[],
): Promise<void> {
  for (const until = Date.now() + RETRY_MS; ; await sleep(RETRY_EVERY_MS)) {
    const { how, words } = await attempt(account, cluster, database, statements);
    if (how === '0') return;
    if (!PASSING.test(words) || Date.now() > until) {
      throw new PostgresFault('Postgres cannot set up its roles', words || how);
    }
  }
}

async function attempt(
  account: Account,
  cluster: string,
  database: string,
  statements: readonly string[],
): Promise<{ how: string; words: string }> {
  const child = account.run(
    'postgres --single',
    cluster,
    [
      // Statements end with an empty line, not with the first line.
      '-j',
      // Names mean what Postgres has made, whatever else has them.
      ...settingArguments({ ...SETTINGS, exit_on_error: 'on', search_path: 'pg_catalog' }),
      database,
    ],
    { stdio: ['pipe', 'ignore', 'pipe'], cwd: '/', env: ENVIRONMENT },
  );
  const { closed, said } = watchChild(child);
  // One that ends early does not read all of it, and says why.
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(statements.map((statement) => `${statement};\n\n`).join(''));
  const how = await closed;
  return { how, words: said() };
}
