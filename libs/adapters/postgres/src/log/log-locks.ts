import { hostname } from 'node:os';
import { Client } from 'pg';

/** Two numbers of an advisory lock: `TEND` in ASCII, and which lock. */
export const LOCK_CLASS = 0x54454e44;
/** Held alone by the one writer of a log, or shared by all that share it. */
export const WRITER_LOCK = 1;
/** Held, shared, by every committer of a lone writer: once it is free, nothing of it is still under way. */
export const COMMITTERS_LOCK = 2;
/** Taken for one append by each of those that share a log. */
export const APPEND_LOCK = 3;
/** While the tables of the log are made. */
export const SCHEMA_LOCK = 4;
/** While schemas of services are made and migrated. */
export const MIGRATION_LOCK = 5;
/** With a writer's number: held by its connections, so it is free once nothing of it is under way. */
export const SHARER_CLASS = 0x54454e45;

const LOCK_RETRY_MS = 50;
const PREDECESSOR_WAIT_MS = 10_000;

/** Other processes write this log in a way that leaves no place for this one. */
export class LogIsTaken extends Error {
  override readonly name = 'LogIsTaken';
  constructor(
    /** Operating system process, where it says so; else the server's backend. */
    readonly holder: string,
    message = `the event log is already written by another process (${holder})`,
  ) {
    super(message);
  }
}

/** Connections that stand and fall together. */
export class LogConnections {
  private readonly clients: Client[] = [];
  private ended = false;

  constructor(
    private readonly connectionString: string,
    private readonly onLost: (error: Error) => void,
  ) {}

  async open(name: string, settings: string): Promise<Client> {
    const client = new Client({
      connectionString: this.connectionString,
      application_name: `${name} pid ${process.pid} on ${hostname()}`.slice(0, 63),
      options: settings,
      keepAlive: true,
      connectionTimeoutMillis: 10_000,
    });
    let connected = false;
    const lost = (error: Error): void => {
      if (connected && !this.ended) this.onLost(error);
    };
    client.on('error', lost);
    client.on('end', () => lost(new Error('Connection terminated')));
    await client.connect();
    connected = true;
    this.clients.push(client);
    return client;
  }

  async end(): Promise<void> {
    this.ended = true;
    await Promise.all(this.clients.map((client) => client.end().catch(() => undefined)));
  }
}

/** Throws `LogIsTaken` when others hold it for longer than `wait_ms`. */
export async function takeWriterLock(
  client: Client,
  mode: 'alone' | 'shared',
  wait_ms: number,
): Promise<void> {
  const deadline = performance.now() + wait_ms;
  const take = mode === 'alone' ? 'pg_try_advisory_lock' : 'pg_try_advisory_lock_shared';
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>(
      `select ${take}(${LOCK_CLASS}, ${WRITER_LOCK}) as taken`,
    );
    if (rows[0]?.taken) return;
    // A process that was killed just now holds it for a moment longer.
    if (performance.now() >= deadline) throw await takenBy(client, mode);
    await pause(LOCK_RETRY_MS);
  }
}

/** Ends what is still under way of writers that are gone: no process that may write now holds these locks. */
export async function outlive(client: Client, held: string): Promise<void> {
  const deadline = performance.now() + PREDECESSOR_WAIT_MS;
  for (;;) {
    const { rowCount } = await client.query(
      `select pg_terminate_backend(pid) from (${holders(held)}) as committers`,
    );
    if (rowCount === 0) return;
    if (performance.now() >= deadline) throw new Error('committers of the last log writer do not end');
    await pause(LOCK_RETRY_MS);
  }
}

export const COMMITTERS_OF_LONE_WRITER = `classid = ${LOCK_CLASS} and objid = ${COMMITTERS_LOCK}`;
export const COMMITTERS_OF_SHARERS = `classid = ${SHARER_CLASS}`;

const holders = (held: string): string => `
  select pid, mode from pg_locks
  where locktype = 'advisory' and (${held}) and granted and pid <> pg_backend_pid()
    and database = (select oid from pg_database where datname = current_database())`;

async function takenBy(client: Client, mode: 'alone' | 'shared'): Promise<LogIsTaken> {
  const { rows } = await client.query<{ pid: number; application_name: string; mode: string }>(
    `select pid, application_name, mode from pg_stat_activity
      join (${holders(`classid = ${LOCK_CLASS} and objid = ${WRITER_LOCK}`)}) as held using (pid)`,
  );
  const holder = rows.map(nameOf).join('; ') || 'pid unknown';
  if (mode === 'shared') {
    const message = `the event log is written by one process alone (${holder}): end it before several share the log`;
    return new LogIsTaken(holder, message);
  }
  if (rows.some((row) => row.mode === 'ShareLock')) {
    const message = `the event log is shared by several processes (${holder}): end them before one writes it alone`;
    return new LogIsTaken(holder, message);
  }
  return new LogIsTaken(holder);
}

function nameOf({ pid, application_name }: { pid: number; application_name: string }): string {
  const process_pid = /pid \d+/.exec(application_name)?.[0] ?? 'pid unknown';
  return `${process_pid}, database backend ${pid}`;
}

const pause = (delay_ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, delay_ms);
  });
