import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { placesIn } from './cluster';
import { startPostgres, type PostgresOptions, type RunningPostgres } from './start-postgres';
import { query, silent, verifierOf } from './testing/data-folders';

let dataDir: string;
let closers: (() => Promise<unknown>)[];
beforeEach(() => {
  dataDir = join(mkdtempSync(join(tmpdir(), 'roles of ')), 'data');
  closers = [];
});
afterEach(async () => {
  for (const close of closers.reverse()) await close();
  rmSync(join(dataDir, '..'), { recursive: true });
});

async function start(options: Partial<PostgresOptions> = {}): Promise<RunningPostgres> {
  const server = await startPostgres({ dataDir, log: silent, ...options });
  closers.push(() => server.stop());
  return server;
}

/** Where a role finds a database; of a signer name and password are the same here. */
function urlOf(server: RunningPostgres, role: string, database: string, password = role): string {
  const { port } = new URL(server.connectionString);
  return `postgres://${role}:${password}@127.0.0.1:${port}/${database}`;
}

const signer = (role: string, password = role) => ({ role, verifier: verifierOf(password) });
const SIGNERS = [signer('signer_a'), signer('signer_b')];
const passwordOf = (): string => readFileSync(placesIn(dataDir).password, 'utf8').trim();
const mark = () => statSync(join(placesIn(dataDir).cluster, 'tender.roles')).ino;

describe('the role of the program', () => {
  it('owns its database, and has no right beyond that; the superuser may not log in', async () => {
    const { connectionString } = await start();
    expect(new URL(connectionString).username).toBe('tender_program');
    const rights = `select rolname, rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls, rolcanlogin
      from pg_roles where rolname !~ '^pg_' order by rolname`;
    const none = {
      ...{ rolsuper: false, rolcreatedb: false, rolcreaterole: false },
      ...{ rolreplication: false, rolbypassrls: false },
    };
    expect(await query(connectionString, rights)).toEqual([
      expect.objectContaining({ rolname: 'tender', rolsuper: true, rolcanlogin: false }),
      { rolname: 'tender_program', ...none, rolcanlogin: true },
    ]);
    const owner = `select datdba::regrole::text as owner from pg_database where datname = 'postgres'`;
    expect(await query(connectionString, owner)).toEqual([{ owner: 'tender_program' }]);
    await query(connectionString, 'create schema payments', 'create table payments.list (n int)');
  });

  it('is given a new password by the file that holds it', async () => {
    await (await start()).stop();
    writeFileSync(placesIn(dataDir).password, `it's @nother\n`);
    const { connectionString } = await start();
    expect(decodeURIComponent(new URL(connectionString).password)).toBe(`it's @nother`);
    expect(await query(connectionString, 'select 1 as n')).toEqual([{ n: 1 }]);
  });
});

describe('signers', () => {
  it('have a database each that the program cannot reach, by no way it has', async () => {
    const server = await start({ signers: SIGNERS });
    const program = server.connectionString;
    await query(program, 'create table secrets (n int)');
    await query(urlOf(server, 'signer_a', 'signer_a'), 'create table shares (n int)');
    const away: [string, string][] = [
      ['tender_program', 'signer_a'],
      ['signer_a', 'postgres'],
      ['signer_a', 'signer_b'],
      ['signer_a', 'template1'],
    ];
    for (const [role, database] of away) {
      const password = role === 'tender_program' ? passwordOf() : role;
      const attempt = query(urlOf(server, role, database, password), 'select 1');
      await expect(attempt).rejects.toMatchObject({ code: '42501' });
    }
    await expect(query(urlOf(server, 'tender', 'postgres', passwordOf()), 'select 1')).rejects.toThrow();
  });

  it('come to a folder that has none, get a new password, and keep what they have', async () => {
    await (await start()).stop();
    const begun = await start({ signers: SIGNERS });
    await query(urlOf(begun, 'signer_a', 'signer_a'), 'create table shares as select 7 as n');
    const settled = mark();
    await begun.stop();
    // Nothing is to be done for the same ones, nor where none are named.
    for (const signers of [SIGNERS, undefined]) {
      await (await start(signers ? { signers } : {})).stop();
      expect(mark()).toBe(settled);
    }
    const again = await start({ signers: [signer('signer_a', 'renewed')] });
    const shares = 'select n from shares';
    expect(await query(urlOf(again, 'signer_a', 'signer_a', 'renewed'), shares)).toEqual([{ n: 7 }]);
    await expect(query(urlOf(again, 'signer_a', 'signer_a'), shares)).rejects.toMatchObject({ code: '28P01' });
    await query(urlOf(again, 'signer_b', 'signer_b'), 'create table shares (n int)');
  });
});

describe('a program that is taken over', () => {
  let folder: string;
  let server: RunningPostgres;
  let clients: Client[];
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'signers of '));
    clients = [];
    server = await startPostgres({ dataDir: join(folder, 'data'), log: silent, signers: SIGNERS });
    for (const url of [server.connectionString, urlOf(server, 'signer_a', 'signer_a')]) {
      const client = new Client(url);
      await client.connect();
      clients.push(client);
    }
    await clients[0]?.query('create table stolen (line text)');
    await clients[0]?.query(`create function touch() returns event_trigger language plpgsql as 'begin end'`);
  });
  afterAll(async () => {
    for (const client of clients) await client.end();
    await server.stop();
    rmSync(folder, { recursive: true });
  });

  it.each([
    'set role signer_a',
    'set session authorization signer_a',
    'set role tender',
    'grant signer_a to tender_program',
    "alter role signer_a password 'mine'",
    'alter role signer_a rename to signer_c',
    'alter role signer_a set search_path = evil',
    'alter role signer_a nologin',
    'drop role signer_a',
    'create role another',
    "alter role tender_program superuser",
    "alter role tender login password 'mine'",
    'alter database signer_a owner to tender_program',
    'alter database signer_a set search_path = evil',
    'alter database signer_a rename to mine',
    'grant connect on database signer_a to tender_program',
    'drop database signer_a',
    'create database mine template signer_a',
    'create database mine',
    'reassign owned by signer_a to tender_program',
    'drop owned by signer_a',
    "select pg_read_file('postgresql.conf')",
    "select pg_read_binary_file('base/1/1259')",
    "select pg_ls_dir('base')",
    "select lo_import('/etc/passwd')",
    "copy (select 1) to program 'id'",
    "copy stolen from program 'id'",
    "copy stolen from '/etc/passwd'",
    "copy stolen to '/tmp/stolen'",
    'select rolpassword from pg_authid',
    'select passwd from pg_shadow',
    "alter system set ssl = 'off'",
    'select pg_reload_conf()',
    "select set_config('session_preload_libraries', 'evil', false)",
    "load 'evil'",
    "create function evil() returns int language c as 'libc', 'system'",
    "create function evil() returns text language internal as 'pg_read_file'",
    'create extension dblink',
    'create extension postgres_fdw',
    'create extension file_fdw',
    "create subscription mine connection 'dbname=signer_a' publication p",
    'grant pg_read_all_data to tender_program',
    'create event trigger evil on ddl_command_end execute function touch()',
    "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'signer_a'",
    "update pg_database set datdba = 0 where datname = 'signer_a'",
  ])('may not: %s', async (attempt) => {
    await expect(clients[0]?.query(attempt)).rejects.toMatchObject({ code: '42501' });
  });
});
