import { randomUUID } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import { DataSource, type MigrationInterface } from 'typeorm';
import type { Log, Position, ReadModels, Sql } from '@tender/eventing';
import { invariant } from '@tender/kernel';
import { CheckpointMoved, TakenOver } from './checkpoint-faults';
import { CuttablePool, type Cuttable } from '../connections/cuttable-pool';
import { isConnectionLoss, namedFailure } from '../connections/database-failures';
import { FollowerProgress } from './follower-progress';
import { readJsonColumns } from '../connections/json-columns';
import { LOCK_CLASS, MIGRATION_LOCK } from '../log/log-locks';
import { realDelays } from '../connections/real-delays';
import { preparedStatement } from '../connections/prepared-statement';
import { plainName, serviceSchema } from './service-schema';

export interface PostgresReadModelsOptions {
  readonly connectionString: string;
  /** One per service; each gets `checkpoints` and `parked`. */
  readonly schemas: readonly string[];
  /** TypeORM migration classes; each runs once, in the order of the time in its name. */
  readonly migrations: readonly (new () => unknown)[];
  readonly entities?: readonly (new () => object)[];
  readonly log: Log;
  /** Connections; 12 unless told. */
  readonly pool_max?: number;
  /** How positions of the log compare; as whole numbers unless told. */
  readonly isBefore?: (position: Position, other: Position) => boolean;
}

export type PostgresReadModels = ReadModels & Cuttable & {
  readonly dataSource: DataSource;
  /** Connections under way and at rest, and work that waits for one. */
  connections(): { readonly busy: number; readonly idle: number; readonly waiting: number };
  /** Connects, makes the schemas, runs what migrations are due; one process of several at a time. */
  start(): Promise<void>;
  close(): Promise<void>;
};

/** The owner of a checkpoint that a swap of generations has set: whoever follows may take it. */
export const RELEASED = '';

const PART = 'read models';
// Statements are prepared, but planned for the tables as they are: a plan made while a queue was short took
// seconds for each claim of a long one, until the next automatic ANALYZE.
const PLANNING = '-c plan_cache_mode=force_custom_plan -c jit=off';
const POOL_MAX = 12;
const POLL_MS = 50;
/** A process that starts among others on a busy machine may not get to its own connection for a while. */
const FIRST_CONNECT_MS = 60_000;
/** Later on, whoever asks for a row is told sooner that there is none to be had. */
const CONNECT_TIMEOUT_MS = 5_000;

/** Projections and records of the services, in one Postgres database, over one TypeORM pool. */
export function postgresReadModels(options: PostgresReadModelsOptions): PostgresReadModels {
  readJsonColumns();
  const isBefore = options.isBefore ?? ((position, other) => BigInt(position) < BigInt(other));
  const owner = `${process.pid}:${randomUUID()}`;
  const followed = new Map<string, Followed>();
  const progress = new FollowerProgress(isBefore, realDelays);
  const dataSource = new DataSource({
    type: 'postgres',
    url: options.connectionString,
    entities: [...(options.entities ?? [])],
    migrations: [...options.migrations] as (new () => MigrationInterface)[],
    migrationsTableName: 'tender_migrations',
    applicationName: 'tender read models',
    connectTimeoutMS: FIRST_CONNECT_MS,
    poolErrorHandler: (error: unknown) =>
      options.log.warn({ err: error }, 'a read-model connection was lost'),
    extra: {
      max: options.pool_max ?? POOL_MAX,
      options: PLANNING,
    },
  });
  // The driver's own pool: TypeORM's query runner costs more than many a statement.
  const pool = (): Pool => (dataSource.driver as unknown as { master: Pool }).master;

  // Each connecting makes a pool.
  let cuttable: CuttablePool | null = null;
  const connections = (): CuttablePool => {
    if (cuttable?.pool !== pool()) cuttable = new CuttablePool(pool(), PART);
    return cuttable as CuttablePool;
  };
  const autocommit: Sql = { query: (text, values) => rowsOf(connections(), text, values) };

  return {
    dataSource,
    start,
    connections() {
      const { totalCount, idleCount: idle, waitingCount: waiting } = pool();
      return { busy: totalCount - idle, idle, waiting };
    },
    close: () => (dataSource.isInitialized ? dataSource.destroy() : Promise.resolve()),
    query: autocommit.query,
    transaction,
    checkpoint,
    saveCheckpoint,
    release,
    cutOff: () => connections().cutOff(),
    noteProgress: (schema, follower, position) => progress.note(`${schema}.${follower}`, position),
    waitFor,
  };

  async function start(): Promise<void> {
    await dataSource.initialize();
    // Before the first connection, so that it misses none.
    connections();
    const client = await pool().connect();
    try {
      await client.query(`select pg_advisory_lock(${LOCK_CLASS}, ${MIGRATION_LOCK})`);
      for (const schema of options.schemas) await client.query(serviceSchema(schema));
      await dataSource.runMigrations({ transaction: 'each' });
      pool().options.connectionTimeoutMillis = CONNECT_TIMEOUT_MS;
    } finally {
      // With its connection the lock goes too.
      client.release(true);
    }
  }

  async function transaction<Result>(work: (tx: Sql) => Promise<Result>): Promise<Result> {
    const client = await connections()
      .connect()
      .catch((error: unknown) => {
        throw namedFailure(PART, error);
      });
    const tx = new Transaction(client);
    // Nobody else listens while it is out of the pool; the statement that is under way fails by itself.
    const ignore = (): void => undefined;
    client.on('error', ignore);
    let broken: Error | undefined;
    try {
      await tx.query('begin');
      const result = await work(tx);
      await tx.query('commit');
      for (const [follower, epoch] of tx.epochs) {
        if (followed.get(follower)?.epoch !== epoch) followed.set(follower, { epoch, lost: false });
      }
      for (const [follower, position] of tx.checkpoints) progress.note(follower, position);
      return result;
    } catch (error) {
      broken = await rolledBack(client);
      throw error;
    } finally {
      client.off('error', ignore);
      client.release(broken);
    }
  }

  async function checkpoint(schema: string, follower: string): Promise<Position | null> {
    const name = `${schema}.${follower}`;
    const mine = followed.get(name);
    if (mine) {
      const row = await readCheckpoint(schema, follower);
      // Also when it is lost: who would take it back now would fight with its heir. What a swap released has
      // none, and epochs only rise: an older one is from before the take-over.
      const older = !row || BigInt(row.epoch) < BigInt(mine.epoch);
      if (!older && row.owner !== RELEASED) return progress.reset(name, row.position);
    }
    const { position, epoch } = await takeOver(autocommit, schema, follower);
    followed.set(name, { epoch, lost: false });
    return progress.reset(name, position);
  }

  async function readCheckpoint(schema: string, follower: string) {
    const [row] = await autocommit.query<Kept>(
      `select position, epoch, owner from ${plainName(schema)}.checkpoints where follower = $1`,
      [follower],
    );
    return row ?? null;
  }

  async function takeOver(sql: Sql, schema: string, follower: string): Promise<Taken> {
    const [taken] = await sql.query<Taken>(
      `insert into ${plainName(schema)}.checkpoints as kept (follower, epoch, owner)
        values ($1, 1, $2)
        on conflict (follower) do update set epoch = kept.epoch + 1, owner = excluded.owner
        returning position, epoch`,
      [follower, owner],
    );
    return taken as Taken;
  }

  async function saveCheckpoint(
    tx: Sql,
    schema: string,
    follower: string,
    position: Position,
    from?: Position | null,
  ) {
    const name = `${schema}.${follower}`;
    invariant(tx instanceof Transaction, 'a checkpoint moves in a transaction of these read models');
    const epoch =
      followed.get(name)?.epoch ??
      tx.epochs.get(name) ??
      (await takeOver(tx, schema, follower)).epoch;
    const moved = await tx.query(
      `update ${plainName(schema)}.checkpoints set position = $4, updated_at = now()
        where follower = $1 and epoch = $2 and owner = $3 and ($5 or position is not distinct from $6) returning 1`,
      [follower, epoch, owner, position, from === undefined, from ?? null],
    );
    if (moved.length === 0) {
      const [kept] = await tx.query<Pick<Kept, 'epoch' | 'owner'>>(
        `select epoch, owner from ${plainName(schema)}.checkpoints where follower = $1`,
        [follower],
      );
      if (kept?.epoch === epoch && kept.owner === owner) throw new CheckpointMoved(name);
      lose(name);
      // A row that is gone is nobody's either.
      throw new TakenOver(name, (kept?.owner ?? RELEASED) === RELEASED);
    }
    tx.epochs.set(name, epoch);
    tx.checkpoints.set(name, position);
  }

  function lose(name: string): void {
    const mine = followed.get(name);
    if (mine) mine.lost = true;
    progress.giveUp(name);
  }

  function release(schema: string, follower: string): void {
    const name = `${schema}.${follower}`;
    followed.delete(name);
    progress.giveUp(name);
  }

  async function waitFor(schema: string, follower: string, position: Position, timeout_ms: number) {
    const name = `${schema}.${follower}`;
    const deadline = performance.now() + timeout_ms;
    const mine = followed.get(name);
    if (mine && !mine.lost && (await progress.wait(name, position, timeout_ms))) return true;
    // Followed by another process, maybe since a moment ago: only its row tells.
    for (;;) {
      const reached = (await readCheckpoint(schema, follower))?.position ?? null;
      if (reached !== null && !isBefore(reached, position)) return true;
      if (performance.now() >= deadline) return false;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }
}

/** A follower that this process has taken over. */
interface Followed {
  readonly epoch: string;
  /** Another process has taken it over since. */
  lost: boolean;
}

interface Taken {
  readonly position: Position | null;
  readonly epoch: string;
}

interface Kept extends Taken {
  readonly owner: string;
}

class Transaction implements Sql {
  /** Of the followers that this transaction takes over or goes on with. */
  readonly epochs = new Map<string, string>();
  /** Checkpoints that count once it is committed. */
  readonly checkpoints = new Map<string, Position>();

  constructor(private readonly client: PoolClient) {}

  query<Row>(text: string, values?: readonly unknown[]): Promise<Row[]> {
    return rowsOf<Row>(this.client, text, values);
  }
}

async function rowsOf<Row>(
  connection: CuttablePool | PoolClient,
  text: string,
  values?: readonly unknown[],
): Promise<Row[]> {
  try {
    const statement = values === undefined ? text : preparedStatement(text, values);
    const { rows } = await (connection as Pick<PoolClient, 'query'>).query(statement);
    return rows as Row[];
  } catch (error) {
    throw namedFailure(PART, error);
  }
}

/** An error when the connection must not be used again. */
async function rolledBack(client: PoolClient): Promise<Error | undefined> {
  try {
    await client.query('rollback');
    return undefined;
  } catch (error) {
    return isConnectionLoss(error) ? (error as Error) : new Error('rollback failed');
  }
}
