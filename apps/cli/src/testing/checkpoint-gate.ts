import { setTimeout as pause } from 'node:timers/promises';
import type { PostgresReadModels } from '@tender/adapter-postgres';
import type { PoolClient } from 'pg';

const GATE = 20_260_101;
const POLL_MS = 10;

/**
 * Holds each transaction that saves a checkpoint in this schema, and lets them go one at a time: a process can be cut
 * short in the very chunk that a test wants, however slow the test is.
 */
export class CheckpointGate {
  private constructor(private readonly session: PoolClient) {}

  /** Made closed. */
  static async before(readModels: PostgresReadModels, schema: string): Promise<CheckpointGate> {
    const session = await readModels.pool.connect();
    await session.query(`create function ${schema}.wait_at_gate() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock_shared(${GATE}); return new; end $$`);
    await session.query(`create trigger gate before update of position on ${schema}.checkpoints
      for each row execute function ${schema}.wait_at_gate()`);
    const gate = new CheckpointGate(session);
    await gate.close();
    return gate;
  }

  /** Resolves when a transaction waits at the gate; rejects when the process is over that would come. */
  async reached(isOver: () => boolean): Promise<void> {
    for (;;) {
      const over = isOver();
      const { rows } = await this.session.query<{ waiting: number }>(
        `select count(*)::int as waiting from pg_locks where locktype = 'advisory' and objid = ${GATE}
          and not granted and database = (select oid from pg_database where datname = current_database())`,
      );
      if (rows[0] && rows[0].waiting > 0) return;
      if (over) throw new Error('it ended before it came to the gate');
      await pause(POLL_MS);
    }
  }

  /** The transaction that waits; resolves when it has ended. */
  async letOnePass(): Promise<void> {
    await this.open();
    await this.close();
  }

  async open(): Promise<void> {
    await this.session.query(`select pg_advisory_unlock(${GATE})`);
  }

  async close(): Promise<void> {
    await this.session.query(`select pg_advisory_lock(${GATE})`);
  }

  /** Gives the connection back. */
  async leave(): Promise<void> {
    await this.session.query('select pg_advisory_unlock_all()');
    this.session.release();
  }
}
