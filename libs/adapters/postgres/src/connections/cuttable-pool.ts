import type { Pool, PoolClient, QueryResult, QueryResultRow } from 'pg';
import { Unavailable } from '@tender/eventing';
import { ask, type Statement } from './ask';
import { isConnectionLoss, namedFailure } from './database-failures';

export interface Cuttable {
  /** Something waits for an answer of the database. */
  isWaiting(): boolean;
  /** What hangs in the database fails now, its outcome unknown; nothing is asked of it until the answer is called. */
  cutOff(): () => void;
}

/**
 * A pool that can be cut off: where the database does not answer, what hangs in it fails at once. Work that must
 * stop soon cannot wait for a network to notice.
 */
export class CuttablePool implements Cuttable {
  private readonly connected = new Set<PoolClient>();
  /** Ends the wait of each caller that has no connection yet. */
  private readonly waiting = new Set<(error: Error) => void>();
  private cuts = 0;

  constructor(
    readonly pool: Pool,
    private readonly part: string,
  ) {
    pool.on('connect', (client) => this.keep(client));
    pool.on('acquire', (client) => this.keep(client));
    pool.on('remove', (client) => void this.connected.delete(client));
  }

  /**
   * Lends a connection to `work`; one that `lost` finds an error for is not used again. Throws `Unavailable` where
   * there is no connection to be had, and what `work` throws.
   */
  async use<Result>(
    work: (client: PoolClient) => Promise<Result>,
    lost: (error: unknown, client: PoolClient) => Loss | Promise<Loss> = lossIn,
  ): Promise<Result> {
    const client = await this.connect();
    let loss: Loss;
    try {
      return await work(client);
    } catch (error) {
      loss = await lost(error, client);
      throw error;
    } finally {
      client.release(loss);
    }
  }

  /** Throws `Unavailable` for what may be asked again, and what else the database answers. */
  async query<Row extends QueryResultRow>(statement: Statement): Promise<QueryResult<Row>> {
    try {
      return await this.use((client) => ask<Row>(client, statement));
    } catch (error) {
      throw namedFailure(this.part, error);
    }
  }

  isWaiting(): boolean {
    return this.waiting.size > 0 || this.pool.totalCount > this.pool.idleCount;
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

  /**
   * Out of the pool it has no listener of its own, and an error without one ends the process. It has this one from the
   * moment that it is lent: what ends it may come with the answer that lends it. A statement under way fails by itself.
   */
  private keep(client: PoolClient): void {
    if (this.connected.has(client)) return;
    this.connected.add(client);
    client.on('error', () => undefined);
  }

  private connect(): Promise<PoolClient> {
    if (this.cuts > 0) return Promise.reject(this.cutError());
    return new Promise((resolve, reject) => {
      this.waiting.add(reject);
      this.pool.connect().then(
        (client) => {
          if (this.waiting.delete(reject)) resolve(client);
          else client.release(true);
        },
        (error: unknown) => {
          this.waiting.delete(reject);
          reject(namedFailure(this.part, error) as Error);
        },
      );
    });
  }

  private cutError(): Unavailable {
    return new Unavailable(this.part, { reason: 'it did not answer and was cut off' });
  }
}

/** Why a connection must not be used again. */
type Loss = Error | undefined;

const lossIn = (error: unknown): Loss => (isConnectionLoss(error) ? (error as Error) : undefined);

interface Sockets {
  readonly connection: { readonly stream: { destroy(error: Error): void } };
}
