import type { PoolClient } from 'pg';
import { Unavailable, type Position, type Sql, type SqlTransaction } from '@tender/eventing';
import { ask } from '../connections/ask';
import type { CuttablePool } from '../connections/cuttable-pool';
import { isConnectionLoss, namedFailure } from '../connections/database-failures';
import { preparedStatement } from '../connections/prepared-statement';
import { PART } from './table-pool';

type Statement = (sql: Sql) => Promise<void>;

/** Begins with its first statement: where a consumer writes no rows, its checkpoint alone is one. */
export class Transaction implements SqlTransaction {
  /** Of the followers that this transaction takes over or goes on with. */
  readonly epochs = new Map<string, string>();
  /** Checkpoints that count once it is committed. */
  readonly checkpoints = new Map<string, Position>();
  private readonly told: (() => void)[] = [];
  private has_begun = false;
  private last: Statement | null = null;

  constructor(private readonly client: PoolClient) {}

  async query<Row>(text: string, values?: readonly unknown[]): Promise<Row[]> {
    await this.begin();
    return this.ask<Row>(text, values);
  }

  /** Run at the commit, or before another statement; it throws there. */
  async runLast(statement: Statement): Promise<void> {
    if (this.last) await this.begin();
    this.last = statement;
  }

  afterCommit(tell: () => void): void {
    this.told.push(tell);
  }

  /** It has committed, or may have. */
  tell(): void {
    for (const tell of this.told) tell();
  }

  async commit(): Promise<void> {
    const { last } = this;
    if (this.has_begun) {
      await this.begin();
      await this.ask('commit');
    } else if (last) {
      this.has_begun = true;
      await last({ query: (...asked) => this.ask(...asked) });
    }
  }

  /** An error when the connection must not be used again. */
  async rollBack(): Promise<Error | undefined> {
    if (!this.has_begun) return undefined;
    try {
      await this.client.query('rollback');
      return undefined;
    } catch (error) {
      return isConnectionLoss(error) ? (error as Error) : new Error('rollback failed');
    }
  }

  private async begin(): Promise<void> {
    const { last } = this;
    this.last = null;
    if (!this.has_begun) {
      this.has_begun = true;
      await this.ask('begin');
    }
    await last?.(this);
  }

  private async ask<Row>(text: string, values?: readonly unknown[]): Promise<Row[]> {
    try {
      return (await ask(this.client, preparedStatement(text, values))).rows as Row[];
    } catch (error) {
      throw namedFailure(PART, error);
    }
  }
}

/** Commits what `work` does, or nothing of it. `onCommit` comes before anything else can. */
export function inTransaction<Result>(
  connections: CuttablePool,
  work: (tx: SqlTransaction) => Promise<Result>,
  onCommit: (tx: Transaction) => void,
): Promise<Result> {
  let tx: Transaction | null = null;
  return connections.use(
    async (client) => {
      tx = new Transaction(client);
      const result = await work(tx);
      try {
        await tx.commit();
      } catch (error) {
        // Its answer may be what was lost.
        if (error instanceof Unavailable) tx.tell();
        throw error;
      }
      onCommit(tx);
      tx.tell();
      return result;
    },
    () => tx?.rollBack(),
  );
}
