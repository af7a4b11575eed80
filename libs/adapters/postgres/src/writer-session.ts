import { hostname } from 'node:os';
import { Client } from 'pg';
import { LOG_SCHEMA } from './event-rows';

/** Two numbers of an advisory lock: `TEND` in ASCII, and which lock. */
export const LOCK_CLASS = 0x54454e44;
export const WRITER_LOCK = 1;
/** Held, shared, by every lane: once it is free, nothing of the last writer is still under way. */
const LANES_LOCK = 2;
const LOCK_RETRY_MS = 50;
const PREDECESSOR_WAIT_MS = 10_000;

// Plans that stay right while the table grows: a statement prepared on the empty table would scan it for ever.
const LANE_OPTIONS =
  '-c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off -c jit=off' +
  ' -c plan_cache_mode=force_generic_plan -c synchronous_commit=on -c lock_timeout=10000';

/** Another process writes this log: there can only be one. */
export class LogIsTaken extends Error {
  override readonly name = 'LogIsTaken';
  constructor(
    /** Operating system process, where it says so; else the server's backend. */
    readonly holder: string,
  ) {
    super(`the event log is already written by another process (${holder})`);
  }
}

/** The right to write, and the connections to do it with. Ends as a whole. */
export interface WriterSession {
  readonly position_max: number;
  openLane(): Promise<Client>;
  end(): Promise<void>;
}

/** Takes the lock, waits until no append of a predecessor can still commit, makes the table. */
export async function openWriterSession(options: {
  readonly connectionString: string;
  readonly lock_wait_ms: number;
  readonly onLost: (error: Error) => void;
}): Promise<WriterSession> {
  const clients: Client[] = [];
  let ended = false;
  const lost = (error: Error): void => {
    if (!ended) options.onLost(error);
  };
  const open = async (name: string, settings: string): Promise<Client> => {
    const client = new Client({
      connectionString: options.connectionString,
      application_name: `${name} pid ${process.pid} on ${hostname()}`.slice(0, 63),
      options: settings,
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
    });
    let connected = false;
    client.on('error', (error) => connected && lost(error));
    client.on('end', () => connected && lost(new Error('Connection terminated')));
    await client.connect();
    connected = true;
    clients.push(client);
    return client;
  };
  const end = async (): Promise<void> => {
    ended = true;
    await Promise.all(clients.map((client) => client.end().catch(() => undefined)));
  };

  try {
    const holder = await open('tender log writer', '-c lock_timeout=10000');
    await takeWriterLock(holder, options.lock_wait_ms);
    await outlivePredecessor(holder);
    await holder.query(LOG_SCHEMA);
    const { rows } = await holder.query<{ newest: string }>(
      'select coalesce(max(position), 0)::text as newest from log.events',
    );
    return {
      position_max: Number(rows[0]?.newest),
      async openLane() {
        const lane = await open('tender log lane', LANE_OPTIONS);
        await lane.query(`select pg_advisory_lock_shared(${LOCK_CLASS}, ${LANES_LOCK})`);
        return lane;
      },
      end,
    };
  } catch (error) {
    await end();
    throw error;
  }
}

async function takeWriterLock(client: Client, wait_ms: number): Promise<void> {
  const deadline = performance.now() + wait_ms;
  while (!(await tryLock(client, WRITER_LOCK))) {
    // A process that was killed just now holds it for a moment longer.
    if (performance.now() >= deadline) throw new LogIsTaken(await holderOf(client));
    await pause(LOCK_RETRY_MS);
  }
}

async function outlivePredecessor(client: Client): Promise<void> {
  const deadline = performance.now() + PREDECESSOR_WAIT_MS;
  while (!(await tryLock(client, LANES_LOCK))) {
    if (performance.now() >= deadline) throw new Error('lanes of the last log writer do not end');
    await client.query(`select pg_terminate_backend(pid) from (${holders(LANES_LOCK)}) as lanes`);
    await pause(LOCK_RETRY_MS);
  }
  await client.query(`select pg_advisory_unlock(${LOCK_CLASS}, ${LANES_LOCK})`);
}

async function tryLock(client: Client, lock: number): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>(
    `select pg_try_advisory_lock(${LOCK_CLASS}, ${lock}) as taken`,
  );
  return rows[0]?.taken === true;
}

const holders = (lock: number): string => `
  select pid from pg_locks
  where locktype = 'advisory' and classid = ${LOCK_CLASS} and objid = ${lock} and granted
    and database = (select oid from pg_database where datname = current_database())`;

async function holderOf(client: Client): Promise<string> {
  const { rows } = await client.query<{ pid: number; application_name: string }>(
    `select pid, application_name from pg_stat_activity where pid in (${holders(WRITER_LOCK)})`,
  );
  const holder = rows[0];
  if (!holder) return 'pid unknown';
  const process_pid = /pid \d+/.exec(holder.application_name)?.[0] ?? 'pid unknown';
  return `${process_pid}, database backend ${holder.pid}`;
}

const pause = (delay_ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, delay_ms);
  });
