import { DatabaseError, type PoolClient, type QueryResult } from 'pg';
import { Unavailable, type Position, type Sql, type SqlTransaction } from '@tender/eventing';
import { ask, type Statement } from '../connections/ask';
import type { Bracket } from '../connections/bracketed-query';
import type { CuttablePool } from '../connections/cuttable-pool';
import { isConnectionLoss, namedFailure } from '../connections/database-failures';
import { preparedStatement } from '../connections/prepared-statement';
import { PART } from './table-pool';

/** A statement that returns a row, or the transaction is not committed. */
interface Last {
  readonly text: string;
  readonly values: readonly unknown[];
  /** What is thrown then. `sql` asks within the transaction, or on its connection once it was rolled back. */
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
    await this.askLast(null);
    return this.askWithin<Row>(text, values);
  }

  /** Asked at the commit, or before another statement. */
  runLast(last: Last): Promise<void> {
    return this.askLast(last);
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
      if (this.has_begun) await this.commitAlone();
    } else if (this.has_begun) {
      await this.commitWith(last);
    } else {
      this.has_begun = true;
      await askForRow(last, (...asked) => this.ask(...asked));
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

  /** What was to be the last no longer is: `next` takes its place at once, so that neither is lost. */
  private async askLast(next: Last | null): Promise<void> {
    const { last } = this;
    this.last = next;
    if (last) await askForRow(last, (...asked) => this.askWithin(...asked));
  }

  private async askWithin<Row>(text: string, values?: readonly unknown[]): Promise<Row[]> {
    // It may throw: then nothing has begun.
    const statement = preparedStatement(text, values);
    if (this.has_begun) return this.send<Row>(statement);
    this.has_begun = true;
    if (values) return this.send<Row>(statement, { begin: true });
    // It may be several statements, which cannot be prepared.
    await this.ask('begin');
    return this.send<Row>(statement);
  }

  private async commitAlone(): Promise<void> {
    const { command } = await this.answer({ text: 'commit' });
    // So Postgres answers where a statement has failed, whatever became of the error.
    if (command === 'ROLLBACK') throw new Error('a statement of the transaction has failed: nothing was committed');
  }

  /** It has to fail where it returns no row, since its `commit` is on its way. No trigger of ours divides. */
  private async commitWith({ text, values, whyNone }: Last): Promise<void> {
    try {
      await this.ask(`with last as (${text}) select 1 / count(*) from last`, values, { commit: true });
    } catch (error) {
      if (!isDivisionByZero(error)) throw error;
      await this.ask('rollback');
      throw await whyNone({ query: (...asked) => this.ask(...asked) });
    }
  }

  private ask<Row>(text: string, values?: readonly unknown[], bracket?: Bracket): Promise<Row[]> {
    return this.send<Row>(preparedStatement(text, values), bracket);
  }

  private async send<Row>(statement: Statement, bracket?: Bracket): Promise<Row[]> {
    return (await this.answer(statement, bracket)).rows as Row[];
  }

  private async answer(statement: Statement, bracket?: Bracket): Promise<QueryResult> {
    try {
      return await ask(this.client, statement, bracket);
    } catch (error) {
      throw namedFailure(PART, error);
    }
  }
}

async function askForRow({ text, values, whyNone }: Last, query: Sql['query']): Promise<void> {
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
