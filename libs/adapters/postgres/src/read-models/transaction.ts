import type { PoolClient } from 'pg';
import type { Position, Sql } from '@tender/eventing';
import type { CuttablePool } from '../connections/cuttable-pool';
import { isConnectionLoss, namedFailure } from '../connections/database-failures';
import { preparedStatement } from '../connections/prepared-statement';
import { PART } from './table-pool';

export class Transaction implements Sql {
  /** Of the followers that this transaction takes over or goes on with. */
  readonly epochs = new Map<string, string>();
  /** Checkpoints that count once it is committed. */
  readonly checkpoints = new Map<string, Position>();

  constructor(private readonly client: PoolClient) {}

  async query<Row>(text: string, values?: readonly unknown[]): Promise<Row[]> {
    try {
      return (await this.client.query(preparedStatement(text, values))).rows as Row[];
    } catch (error) {
      throw namedFailure(PART, error);
    }
  }
}

/** Commits what `work` does, or nothing of it. `onCommit` comes before anything else can. */
export function inTransaction<Result>(
  connections: CuttablePool,
  work: (tx: Sql) => Promise<Result>,
  onCommit: (tx: Transaction) => void,
): Promise<Result> {
  return connections.use(async (client) => {
    const tx = new Transaction(client);
    await tx.query('begin');
    const result = await work(tx);
    await tx.query('commit');
    onCommit(tx);
    return result;
  }, rolledBack);
}

/** An error when the connection must not be used again. */
async function rolledBack(_: unknown, client: PoolClient): Promise<Error | undefined> {
  try {
    await client.query('rollback');
    return undefined;
  } catch (error) {
    return isConnectionLoss(error) ? (error as Error) : new Error('rollback failed');
  }
}
