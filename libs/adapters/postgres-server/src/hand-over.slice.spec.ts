import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { chooseAccount, type Account } from './account';
import { packagedBinaries } from './binaries';
import { placesIn } from './cluster';
import { readPostmaster, stopLeftover } from './leftover';
import { startOf } from './process-identity';
import { runningPostgres } from './running-postgres';
import { launch } from './server';
import { ENVIRONMENT } from './settings';
import { settleRoles } from './settle-roles';
import { startPostgres } from './start-postgres';
import { folderOfReleaseBefore, query, silent, verifierOf } from './testing/data-folders';

let dataDir: string;
let closers: (() => unknown)[];
beforeEach(() => {
  dataDir = join(mkdtempSync(join(tmpdir(), 'handed over ')), 'data');
  closers = [];
});
afterEach(async () => {
  for (const close of closers.reverse()) await close();
  rmSync(join(dataDir, '..'), { recursive: true });
});

const signers = [{ role: 'signer_a', verifier: verifierOf('a') }];

const OWNED_BY_SUPERUSER = `select oid::regclass::text as name from pg_class where relowner = 10 and oid >= 16384
  union all select oid::regprocedure::text from pg_proc where proowner = 10 and oid >= 16384
  union all select oid::regtype::text from pg_type where typowner = 10 and oid >= 16384
  union all select nspname from pg_namespace where nspowner = 10 and oid >= 16384
  union all select stxname from pg_statistic_ext where stxowner = 10`;

async function expectHandedOver(connectionString: string): Promise<void> {
  expect(await query(connectionString, OWNED_BY_SUPERUSER)).toEqual([]);
  const sums = `select (select count(*) from payments.list)::int as rows, (select sum(cents) from payments.list)::int as sum`;
  expect(await query(connectionString, sums)).toEqual([{ rows: 1000, sum: 500_500 }]);
  await query(
    connectionString,
    'begin',
    "insert into payments.list (state, cents) values ('paid', 1)",
    'update payments.list_g1 set cents = 2',
    'refresh materialized view payments.totals',
    "alter type payments.state add value 'late'",
    "select nextval('payments.numbers')",
    'call payments.nothing(1)',
    'alter table payments.list_g1 add column note text',
    'drop schema payments cascade',
    'drop table tender_migrations',
    'rollback',
  );
}

async function expectStarts(): Promise<void> {
  const server = await startPostgres({ dataDir, log: silent, signers });
  closers.push(() => server.stop());
  await expectHandedOver(server.connectionString);
  const its = new URL(server.connectionString);
  Object.assign(its, { username: 'signer_a', password: 'a', pathname: '/signer_a' });
  await query(its.href, 'create table shares (n int)');
  its.pathname = '/postgres';
  await expect(query(its.href, 'select 1')).rejects.toMatchObject({ code: '42501' });
}

const account = chooseAccount(packagedBinaries());

/** Ends Postgres when it has asked for so many statements; one more than there are leaves it alone. */
function killedAt(statement: number): { account: Account; was_killed: () => boolean } {
  let was_killed = false;
  const run: Account['run'] = (program, cluster, args, options) => {
    const stdio = options.stdio.map((one, place) => (place === 1 ? 'pipe' : one));
    const child = account.run(program, cluster, args, { ...options, stdio });
    let asked = 0;
    child.stdout?.on('data', (said: Buffer) => {
      asked += said.toString().split('backend> ').length - 1;
      if (asked >= statement) was_killed = child.kill('SIGKILL') || was_killed;
    });
    return child;
  };
  return { account: { ...account, run }, was_killed: () => was_killed };
}

describe('a data folder of the release before', () => {
  it('goes over to the program’s role, from a server that is still running', async () => {
    const left = await folderOfReleaseBefore(dataDir);
    const { username } = new URL(runningPostgres(dataDir) ?? '');
    expect(username).toBe('tender');
    await expectStarts();
    expect(startOf(left.pid as number)).toBeNull();
    expect(new URL(runningPostgres(dataDir) ?? '').username).toBe('tender_program');
  });

  it('goes over however often it is killed on the way', async () => {
    await (await folderOfReleaseBefore(dataDir)).stop();
    const { cluster, password } = placesIn(dataDir);
    const own = readFileSync(password, 'utf8').trim();
    let kills = 0;
    for (let statement = 1; statement <= 16; statement += 1) {
      const { account: killing, was_killed } = killedAt(statement);
      await settleRoles(killing, cluster, own, { signers }).catch(() => undefined);
      if (was_killed()) kills += 1;
    }
    expect(kills).toBeGreaterThan(5);
    await expectStarts();
  });
});

describe('what a program that was killed has left', () => {
  it('is waited for when it works on the files alone', async () => {
    await (await startPostgres({ dataDir, log: silent })).stop();
    const { cluster } = placesIn(dataDir);
    const args = ['template1'];
    const stdio = ['pipe', 'ignore', 'ignore'] as const;
    const alone = account.run('postgres --single', cluster, args, { stdio, cwd: '/', env: ENVIRONMENT });
    closers.push(() => alone.kill('SIGKILL'));
    while (!readPostmaster(cluster)?.alone) await new Promise((resolve) => setTimeout(resolve, 5));
    const stopping = stopLeftover(cluster, dataDir, 'none');
    alone.stdin?.end();
    await stopping;
    expect(readPostmaster(cluster)).toBeNull();
  });

  it('is stopped though a signer, which lives on, holds a lock of its own database', async () => {
    await (await startPostgres({ dataDir, log: silent, signers })).stop();
    const { cluster, password } = placesIn(dataDir);
    const server = await launch(cluster, account, silent, {});
    const login = { user: 'signer_a', password: 'a', database: 'signer_a' };
    const client = new Client({ host: '127.0.0.1', port: server.port, ...login });
    client.on('error', () => undefined);
    await client.connect();
    await client.query('select pg_advisory_lock(1)');
    await stopLeftover(cluster, dataDir, readFileSync(password, 'utf8').trim());
    expect(startOf(server.pid as number)).toBeNull();
  });
});
