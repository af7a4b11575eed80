import { DatabaseError, type PoolClient } from 'pg';
import { Unavailable, type Position, type Sql, type SqlTransaction } from '@tender/eventing';
import { ask } from '../connections/ask';
import type { Bracket } from '../connections/bracketed-query';
import type { CuttablePool } from '../connections/cuttable-pool';
import { isConnectionLoss, namedFailure } from '../connections/database-failures';
import { preparedStatement } from '../connections/prepared-statement';
import { PART } from './table-pool';

/** A statement that returns a row, or the transaction is not committed. */
interface Last {
  readonly text: string;
  readonly values: readonly unknown[];
  /** What is thrown then. */
  whyNone(sql: Sql): Promise<Error>;
}

/** Begins with its first statement: where a consumer writes no rows, its checkpoint alone is one. */
export class Transaction implements SqlTransaction {
  /** Of the followers that this transaction takes over or goes on with. */
  readonly epochs = new Map<string, string>();
  /** Checkpoints that count once it is committed. */
  readonly checkpoints = new Map<string, Position>();
  private readonly told: (() => void)[] = [];
  private has_begun = false;
  private last: Last | null = null;

  constructor(private readonly client: PoolClient) {}

  async query<Row>(text: string, values?: readonly unknown[]): Promise<Row[]> {
    await this.askLast();
    return this.askWithin<Row>(text, values);
  }

  /** Asked at the commit, or before another statement. */
  async runLast(last: Last): Promise<void> {
    await this.askLast();
    this.last = last;
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
    if (!last) {
      if (this.has_begun) await this.ask('commit');
    } else if (this.has_begun) {
      await this.commitWith(last);
    } else {
      this.has_begun = true;
      await answered(last, (...asked) => this.ask(...asked));
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

  private async askLast(): Promise<void> {
    const { last } = this;
    this.last = null;
    if (last) await answered(last, (...asked) => this.askWithin(...asked));
  }

  private async askWithin<Row>(text: string, values?: readonly unknown[]): Promise<Row[]> {
    if (this.has_begun) return this.ask<Row>(text, values);
    this.has_begun = true;
    if (values) return this.ask<Row>(text, values, { begin: true });
    // It may be several statements, which cannot be prepared.
    await this.ask('begin');
    return this.ask<Row>(text);
  }

  /** It has to fail where it returns no row: its `commit` is on its way. */
  private async commitWith({ text, values, whyNone }: Last): Promise<void> {
    try {
      await this.ask(`with last as (${text}) select 1 / count(*) from last`, values, { commit: true });
    } catch (error) {
      if (!isDivisionByZero(error)) throw error;
      await this.ask('rollback');
      this.has_begun = false;
      throw await whyNone({ query: (...asked) => this.ask(...asked) });
    }
  }

  private async ask<Row>(
    text: string,
    values?: readonly unknown[],
    bracket?: Bracket,
  ): Promise<Row[]> {
    try {
      return (await ask(this.client, preparedStatement(text, values), bracket)).rows as Row[];
    } catch (error) {
      throw namedFailure(PART, error);
    }
  }
}

async function answered({ text, values, whyNone }: Last, query: Sql['query']): Promise<void> {
  const rows = await query(text, values);
  if (rows.length === 0) throw await whyNone({ query });
}

const isDivisionByZero = (error: unknown): boolean =>
  error instanceof DatabaseError && error.code === '22012';

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
