import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';
import { Client } from 'pg';
import { processRow } from './processes';

/** A Postgres server as the bench sees it. */
export interface Server {
  readonly connection_string: string;
  readonly postmaster: number;
  readonly version: string;
  /** fsync, full_page_writes, synchronous_commit. */
  readonly durability: Readonly<Record<string, string>>;
}

const DURABLE = ['fsync', 'full_page_writes', 'synchronous_commit'] as const;

export const isDurable = ({ durability }: Server): boolean =>
  DURABLE.every((name) => durability[name] === 'on');

export async function inspectServer(connection_string: string): Promise<Server> {
  return withClient(connection_string, async (client) => {
    const { rows } = await client.query<Record<string, string>>(
      `SELECT pg_backend_pid()::text AS backend, current_setting('server_version') AS version,
              ${DURABLE.map((name) => `current_setting('${name}') AS ${name}`).join(', ')}`,
    );
    const { backend = '', version = '', ...durability } = rows[0] as Record<string, string>;
    const postmaster = processRow(Number(backend))?.parent;
    if (!postmaster) throw new Error('the database server does not run on this machine');
    return { connection_string, postmaster, version, durability };
  });
}

/** One connection for one piece of work. */
export async function withClient<Result>(
  connection_string: string,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client({ connectionString: connection_string });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

export const checkpoint = (connection_string: string): Promise<void> =>
  withClient(connection_string, async (client) => {
    await client.query('CHECKPOINT');
  });

/** Bytes of write-ahead log so far. */
export const walBytes = (connection_string: string): Promise<number> =>
  withClient(connection_string, async (client) => {
    const { rows } = await client.query<{ bytes: string }>(
      `SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::text AS bytes`,
    );
    return Number(rows[0]?.bytes);
  });

const SYSCALLS = 20_000;
const SYSCALL_BATCHES = 5;

/** What one write of a byte to nowhere costs a Node process, in µs: the least of some batches. */
export function syscallMicroseconds(): number {
  const nowhere = openSync('/dev/null', 'w');
  const byte = Buffer.alloc(1);
  const batches = Array.from({ length: SYSCALL_BATCHES }, () => {
    const began = performance.now();
    for (let writes = 0; writes < SYSCALLS; writes += 1) writeSync(nowhere, byte);
    return ((performance.now() - began) * 1000) / SYSCALLS;
  });
  closeSync(nowhere);
  return Math.min(...batches);
}

/** What one write of 8 KiB costs when it must reach the disk, in µs: as pg_test_fsync measures it. */
export function fsyncMicroseconds(folder: string, for_ms = 1000): number {
  const place = mkdtempSync(path.join(folder, 'fsync-'));
  const file = openSync(path.join(place, 'probe'), 'w');
  const page = Buffer.alloc(8192, 1);
  const began = performance.now();
  let writes = 0;
  while (performance.now() - began < for_ms) {
    writeSync(file, page, 0, page.length, 0);
    fdatasyncSync(file);
    writes += 1;
  }
  const elapsed_ms = performance.now() - began;
  closeSync(file);
  rmSync(place, { recursive: true });
  return (elapsed_ms * 1000) / writes;
}
