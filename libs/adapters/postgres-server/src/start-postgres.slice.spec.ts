import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Way } from './account';
import { readPostmaster } from './leftover';
import { AlreadyRunning, startPostgres, type RunningPostgres } from './start-postgres';
import { query, silent } from './testing/data-folders';

const ROOT = join(__dirname, '../../../..');

let folder: string;
const servers: RunningPostgres[] = [];
const programs: ChildProcess[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'a data folder '));
});

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
  for (const program of programs.splice(0)) program.kill('SIGKILL');
  for (const name of readdirSync(folder)) {
    const postmaster = readPostmaster(join(folder, name, 'postgres'));
    if (postmaster) process.kill(postmaster.pid, 'SIGKILL');
  }
  rmSync(folder, { recursive: true, force: true });
});

async function start(name = 'data', ways?: readonly Way[]): Promise<RunningPostgres> {
  const server = await startPostgres({ dataDir: join(folder, name), log: silent, ways });
  servers.push(server);
  return server;
}

async function stop(server: RunningPostgres): Promise<void> {
  servers.splice(servers.indexOf(server), 1);
  await server.stop();
}

/** A program of its own that starts Postgres, holds an advisory lock and writes rows until it is killed. */
async function startProgram(name = 'data'): Promise<{ program: ChildProcess; rows: () => number }> {
  const code = `
    const { startPostgres } = require('./libs/adapters/postgres-server/src/start-postgres.ts');
    const { Client } = require('pg');
    const log = { info() {}, warn() {}, error() {} };
    (async () => {
      const { connectionString } = await startPostgres({ dataDir: process.env.DATA_DIR, log });
      const client = new Client({ connectionString });
      await client.connect();
      await client.query('select pg_advisory_lock(1)');
      await client.query('create table if not exists written (n int)');
      for (let n = 1; ; n += 1) {
        await client.query('insert into written values ($1)', [n]);
        process.stdout.write(n + '\\n');
      }
    })();`;
  const args = ['--conditions=source', '-r', './scripts/typescript-hook.cjs', '-e', code];
  const program = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { ...process.env, DATA_DIR: join(folder, name) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  programs.push(program);
  let seen = '';
  program.stdout?.on('data', (chunk: Buffer) => (seen += chunk.toString()));
  await once(program.stdout as NodeJS.ReadableStream, 'data');
  return { program, rows: () => seen.slice(0, seen.lastIndexOf('\n')).split('\n').length };
}

describe('the embedded Postgres', () => {
  it('starts in an empty folder, durable, closed to others', async () => {
    const { connectionString } = await start();
    const rows = await query(
      connectionString,
      `select name, setting from pg_settings where name in ('fsync', 'full_page_writes',
       'synchronous_commit', 'listen_addresses') order by name`,
    );
    expect(rows.map((row) => Object.values(row as object))).toEqual([
      ['fsync', 'on'],
      ['full_page_writes', 'on'],
      ['listen_addresses', '127.0.0.1'],
      ['synchronous_commit', 'on'],
    ]);
    const socket_folder = readFileSync(join(folder, 'data/postgres/postmaster.pid'), 'utf8').split('\n')[4];
    expect(socket_folder).toBe('');
    const port = readFileSync(join(folder, 'data/postgres.port'), 'utf8').trim();
    expect(new URL(connectionString).port).toBe(port);
    expect(statSync(join(folder, 'data/postgres.password')).mode & 0o777).toBe(0o600);
    const stranger = new URL(connectionString);
    stranger.password = 'guessed';
    await expect(query(stranger.href, 'select 1')).rejects.toMatchObject({ code: '28P01' });
  });

  it('holds no secret of its program', async () => {
    process.env['SOME_TOKEN'] = 'a secret of the program';
    await start().finally(() => delete process.env['SOME_TOKEN']);
    const { pid } = readPostmaster(join(folder, 'data', 'postgres')) ?? {};
    const held = readFileSync(`/proc/${pid}/environ`, 'utf8');
    expect(held).toContain('LC_ALL=C');
    expect(held).not.toContain('a secret of the program');
  });

  it('has its rows and its password again after a restart', async () => {
    const first = await start();
    await query(first.connectionString, 'create table kept as select 42 as n');
    await stop(first);
    const second = await start();
    expect(await query(second.connectionString, 'select n from kept')).toEqual([{ n: 42 }]);
    const passwords = [first, second].map((one) => new URL(one.connectionString).password);
    expect(passwords[0]).toBe(passwords[1]);
  });

  it('starts at once after kill -9 of its program, with every row that was acknowledged', async () => {
    for (const round of [1, 2, 3]) {
      const { program, rows } = await startProgram(`round ${round}`);
      const exited = once(program, 'exit');
      program.kill('SIGKILL');
      await exited;
      const server = await start(`round ${round}`);
      const [row] = await query(server.connectionString, 'select max(n) as last from written');
      expect((row as { last: number }).last).toBeGreaterThanOrEqual(rows());
    }
  });

  it('starts again on its folder after it was killed itself', async () => {
    const first = await start();
    await query(first.connectionString, 'create table kept as select 42 as n');
    servers.splice(servers.indexOf(first), 1);
    await first.kill();
    await expect(query(first.connectionString, 'select 1')).rejects.toThrow();
    const second = await start();
    expect(second.pid).not.toBe(first.pid);
    expect(await query(second.connectionString, 'select n from kept')).toEqual([{ n: 42 }]);
  });

  it('is refused to a second program while the first one lives, and leaves that one alone', async () => {
    const { program, rows } = await startProgram();
    const attempt = start();
    await expect(attempt).rejects.toThrow(AlreadyRunning);
    await expect(attempt).rejects.toThrow(`already running (pid ${program.pid})`);
    const before = rows();
    // What comes at once may be a part of a line.
    while (rows() <= before) await once(program.stdout as NodeJS.ReadableStream, 'data');
  });

  it('is refused as long as a program holds the advisory lock, even without an owner on file', async () => {
    await startProgram();
    rmSync(join(folder, 'data/postgres.owner'));
    await expect(start()).rejects.toThrow(AlreadyRunning);
  });

  it('does not take a pid that now belongs to another program for a server or an owner', async () => {
    await stop(await start());
    const cluster = join(folder, 'data/postgres');
    const postmaster = [process.pid, cluster, 0, 15_001, '', '127.0.0.1', '', 'ready'];
    writeFileSync(join(cluster, 'postmaster.pid'), `${postmaster.join('\n')}\n`);
    writeFileSync(join(folder, 'data/postgres.owner'), `${process.pid} 12345\n`);
    const { connectionString } = await start();
    expect(await query(connectionString, 'select 1 as n')).toEqual([{ n: 1 }]);
  });

  it('runs twice at once on two folders', async () => {
    const both = await Promise.all([start('one'), start('two')]);
    const ports = await Promise.all(
      both.map((one) => query(one.connectionString, "select current_setting('port') as port")),
    );
    expect(ports[0]).not.toEqual(ports[1]);
  });

  it('begins again when the very first start was killed half way', async () => {
    mkdirSync(join(folder, 'data/postgres.new/base'), { recursive: true });
    const { connectionString } = await start();
    expect(await query(connectionString, 'select 1 as n')).toEqual([{ n: 1 }]);
    expect(existsSync(join(folder, 'data/postgres.new'))).toBe(false);
  });

  // For root these are different users; for any other user they are one, and the folder must open as well.
  it.each([
    ['the first way that works', [undefined, undefined]],
    ['the user nobody', [['nobody'], ['nobody']]],
    ['one way after the other', [['nobody'], undefined]],
  ] as const)('works in a folder that is closed to others, by %s', async (_, [first, second]) => {
    mkdirSync(join(folder, 'closed'));
    chmodSync(join(folder, 'closed'), 0o700);
    await stop(await start('closed/data', first));
    const again = await start('closed/data', second);
    expect(await query(again.connectionString, 'select 1 as n')).toEqual([{ n: 1 }]);
  });

  it('names DATABASE_URL when root has no way left', async () => {
    const asRoot = process.geteuid?.() === 0;
    const attempt = start('data', []).then(
      () => 'started',
      (error: Error) => error.message,
    );
    expect(await attempt).toEqual(asRoot ? expect.stringContaining('DATABASE_URL') : 'started');
  });

  it('leaves the machine alone when there is a DATABASE_URL', async () => {
    const databaseUrl = 'postgres://someone@db.example.com/tender';
    const server = await startPostgres({ dataDir: join(folder, 'data'), log: silent, databaseUrl });
    expect(server.connectionString).toBe(databaseUrl);
    await server.stop();
    expect(existsSync(join(folder, 'data'))).toBe(false);
  });
});
