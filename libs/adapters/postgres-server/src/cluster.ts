import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { watchChild } from '@tender/kernel';
import type { Account } from './account';
import { PostgresFault } from './postgres-fault';
import { SUPERUSER } from './roles';
import { ENVIRONMENT } from './settings';
import { settleRoles, type RolesWanted } from './settle-roles';

/** Where everything of the server lies inside the data folder. */
export const placesIn = (dataDir: string) => ({
  cluster: join(dataDir, 'postgres'),
  draft: join(dataDir, 'postgres.new'),
  password: join(dataDir, 'postgres.password'),
  bootstrap: join(dataDir, 'postgres.bootstrap'),
  port: join(dataDir, 'postgres.port'),
  owner: join(dataDir, 'postgres.owner'),
});
export type Places = ReturnType<typeof placesIn>;

/**
 * Makes the database files with their roles at the first start, and answers the password of the
 * program's role. They are made aside and renamed, so that a kill in between leaves nothing half made
 * behind.
 */
export async function ensureCluster(
  places: Places,
  account: Account,
  roles: RolesWanted,
): Promise<string> {
  if (existsSync(places.cluster)) {
    account.own(places.cluster);
    return readFileSync(places.password, 'utf8').trim();
  }
  // A program of Postgres that outlived ours may still write into it, for a moment.
  rmSync(places.draft, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  mkdirSync(places.draft, { mode: 0o700 });
  const password = newPassword();
  writeFileSync(places.password, `${password}\n`, { mode: 0o600 });
  account.own(places.draft);
  await initialise(places, account);
  await settleRoles(account, places.draft, password, roles);
  renameSync(places.draft, places.cluster);
  return password;
}

const newPassword = (): string => randomBytes(24).toString('hex');

async function initialise(places: Places, account: Account): Promise<void> {
  const password = superusersPassword(places, account);
  try {
    const args = [
      `--username=${SUPERUSER}`,
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

/**
 * `initdb` wants one where all others log in with theirs, and reads it from its standard input. It is
 * kept nowhere: the file has lost its name, and the superuser loses the password before a server starts.
 */
function superusersPassword({ bootstrap }: Places, account: Account): number {
  writeFileSync(bootstrap, `${newPassword()}\n`, { mode: 0o600 });
  account.own(bootstrap);
  const file = openSync(bootstrap, 'r');
  rmSync(bootstrap);
  return file;
}
