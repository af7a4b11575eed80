import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { watchChild } from '@tender/kernel';
import type { Account } from './account';
import { PostgresFault } from './postgres-fault';

export const USER = 'tender';
export const DATABASE = 'postgres';

/** The server's environment: nothing of ours, above all no `PG…` variable. */
export const ENVIRONMENT = { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

/** Where everything of the server lies inside the data folder. */
export const placesIn = (dataDir: string) => ({
  cluster: join(dataDir, 'postgres'),
  draft: join(dataDir, 'postgres.new'),
  password: join(dataDir, 'postgres.password'),
  port: join(dataDir, 'postgres.port'),
  owner: join(dataDir, 'postgres.owner'),
});
export type Places = ReturnType<typeof placesIn>;

/**
 * Makes the database files at the first start and answers the password. It is made aside and renamed,
 * so that a kill in between leaves nothing half made behind.
 */
export async function ensureCluster(places: Places, account: Account): Promise<string> {
  if (existsSync(places.cluster)) {
    account.own(places.cluster);
    return readFileSync(places.password, 'utf8').trim();
  }
  rmSync(places.draft, { recursive: true, force: true });
  mkdirSync(places.draft, { mode: 0o700 });
  const password = randomBytes(24).toString('hex');
  writeFileSync(places.password, `${password}\n`, { mode: 0o600 });
  account.own(places.draft);
  await initialise(places, account);
  renameSync(places.draft, places.cluster);
  return password;
}

async function initialise(places: Places, account: Account): Promise<void> {
  // The program reads the password from its standard input: the account may not reach the file by name.
  account.own(places.password);
  const password = openSync(places.password, 'r');
  try {
    const args = [
      `--username=${USER}`,
      '--pwfile=/dev/stdin',
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--no-locale',
      // Unicode rules for upper and lower case on every machine; order by code point, which is fast.
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--no-instructions',
    ];
    const child = account.run('initdb', places.draft, args, {
      stdio: [password, 'ignore', 'pipe'],
      cwd: '/',
      env: ENVIRONMENT,
    });
    const { closed, said } = watchChild(child);
    const how = await closed;
    if (how !== '0') throw new PostgresFault('Postgres cannot make its files', said() || how);
  } finally {
    closeSync(password);
  }
}
