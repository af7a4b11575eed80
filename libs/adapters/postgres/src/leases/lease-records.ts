import type { Pool } from 'pg';
import type { Log } from '@tender/eventing';
import { namedFailure } from '../connections/database-failures';
import { ANSWER_MS, promptPool } from '../connections/prompt-pool';
import { plainName } from '../read-models/service-schema';

/** How long a lease lives without being renewed, by the database's clock. */
export const LEASE_MS = 5_000;

const until = `clock_timestamp() + interval '${LEASE_MS} milliseconds'`;

/** The rows of `<schema>.leases`. Everything throws `Unavailable` when the database does not answer. */
export class LeaseRecords {
  private readonly pool: Pool;
  private readonly table: string;

  constructor(connectionString: string, schema: string, log: Log) {
    this.table = `${plainName(schema)}.leases`;
    const options = `-c statement_timeout=${ANSWER_MS}`;
    const own = { connectionString, application_name: 'tender leases', options };
    this.pool = promptPool(own, log, 'the leases lost their connection');
  }

  /** The epoch of the new holder; null while another one holds the lease. */
  async take(name: string, owner: string): Promise<string | null> {
    const [row] = await this.rows<{ epoch: string }>(
      `insert into ${this.table} as held (name, owner, until, epoch) values ($1, $2, ${until}, 1)
        on conflict (name) do update
          set owner = excluded.owner, until = excluded.until, epoch = held.epoch + 1
          where held.until < clock_timestamp()
        returning epoch::text`,
      [name, owner],
    );
    return row?.epoch ?? null;
  }

  /** False when another one has taken the lease. */
  async renew(name: string, epoch: string): Promise<boolean> {
    const rows = await this.rows(
      `update ${this.table} set until = ${until} where name = $1 and epoch = $2 returning 1`,
      [name, epoch],
    );
    return rows.length > 0;
  }

  async release(name: string, epoch: string): Promise<void> {
    await this.rows(
      `update ${this.table} set until = '-infinity' where name = $1 and epoch = $2`,
      [name, epoch],
    );
  }

  close(): Promise<void> {
    return this.pool.end();
  }

  private async rows<Row extends object>(text: string, values: unknown[]): Promise<Row[]> {
    try {
      return (await this.pool.query<Row>(text, values)).rows;
    } catch (error) {
      throw namedFailure('leases', error);
    }
  }
}
