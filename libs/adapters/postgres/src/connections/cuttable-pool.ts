import type { Pool, PoolClient, QueryConfig, QueryResult, QueryResultRow } from 'pg';
import { Unavailable } from '@tender/eventing';
import { isConnectionLoss } from './database-failures';

export interface Cuttable {
  /** What hangs in the database fails now, its outcome unknown; nothing is asked of it until the answer is called. */
  cutOff(): () => void;
}

/**
 * A pool that can be cut off: where the database does not answer, what hangs in it fails at once. Work that must
 * stop soon cannot wait for a network to notice.
 */
export class CuttablePool implements Cuttable {
  private readonly connected = new Set<PoolClient>();
  /** Who waits for a connection. */
  private readonly waiting = new Set<(error: Error) => void>();
  private cuts = 0;

  constructor(
    readonly pool: Pool,
    private readonly part: string,
  ) {
    pool.on('connect', (client) => void this.connected.add(client));
    pool.on('remove', (client) => void this.connected.delete(client));
  }

  /** Throws `Unavailable` while it is cut off, and what the pool throws. */
  connect(): Promise<PoolClient> {
    if (this.cuts > 0) return Promise.reject(this.cutError());
    return new Promise((resolve, reject) => {
      this.waiting.add(reject);
      this.pool.connect().then(
        (client) => {
          if (this.waiting.delete(reject)) resolve(client);
          else client.release(true);
        },
        (error: Error) => {
          this.waiting.delete(reject);
          reject(error);
        },
      );
    });
  }

  async query<Row extends QueryResultRow>(query: string | QueryConfig): Promise<QueryResult<Row>> {
    const client = await this.connect();
    // The statement that is under way fails by itself.
    const ignore = (): void => undefined;
    client.on('error', ignore);
    let broken: Error | undefined;
    try {
      return await client.query<Row>(query);
    } catch (error) {
      if (isConnectionLoss(error)) broken = error as Error;
      throw error;
    } finally {
      client.off('error', ignore);
      client.release(broken);
    }
  }

  cutOff(): () => void {
    this.cuts += 1;
    for (const reject of this.waiting) reject(this.cutError());
    this.waiting.clear();
    for (const client of this.connected) {
      // Where no answer comes, `end` would wait for one.
      (client as unknown as Sockets).connection.stream.destroy(this.cutError());
    }
    let restored = false;
    return () => {
      if (!restored) this.cuts -= 1;
      restored = true;
    };
  }

  private cutError(): Unavailable {
    return new Unavailable(this.part, { reason: 'it did not answer and was cut off' });
  }
}

interface Sockets {
  readonly connection: { readonly stream: { destroy(error: Error): void } };
}
