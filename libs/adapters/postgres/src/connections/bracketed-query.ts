import { Query, type QueryResultRow } from 'pg';
import type { Statement, Told } from './ask';

/** What goes to the database in the same write as a statement. */
export interface Bracket {
  /** Before it. */
  readonly begin?: boolean;
  /** After it. */
  readonly commit?: boolean;
}

/** The driver’s connection, as its queries use it: its types are older than that. */
interface Messages {
  readonly stream: { cork(): void; uncork(): void };
  /** Statements whose parsing is under way, by name. */
  readonly submittedNamedStatements: Record<string, string>;
  parse(statement: { readonly text: string }): void;
  bind(values: object): void;
  execute(portal: object): void;
}

/** What the driver asks of a query. */
interface DriversQuery {
  name: string | undefined;
  queryMode: 'extended' | undefined;
  submit(connection: Messages): Error | null;
  handleCommandComplete(told: { readonly text: string }, connection: Messages): void;
  handleError(error: Error, connection: Messages): void;
}

type Asked = readonly [text: string, values: readonly unknown[] | undefined, told: Told<never>];
const DriversQuery = Query as unknown as new (...asked: Asked) => DriversQuery;

class BracketedQuery extends DriversQuery {
  constructor(
    private readonly named: string | undefined,
    private readonly bracket: Bracket,
    ...asked: Asked
  ) {
    super(...asked);
    this.queryMode = 'extended';
  }

  override submit(connection: Messages): Error | null {
    const { bracket } = this;
    connection.stream.cork();
    try {
      if (bracket.begin) run(connection, 'begin');
      this.name = this.named;
      return super.submit(bracket.commit ? committing(connection) : connection);
    } finally {
      // The driver takes the first answer to a parse for that of the query’s name: here it is that of `begin`.
      if (bracket.begin) this.name = undefined;
      connection.stream.uncork();
    }
  }

  override handleCommandComplete(told: { readonly text: string }, connection: Messages): void {
    if (told.text === 'BEGIN') this.name = this.named;
    else if (told.text !== 'COMMIT') super.handleCommandComplete(told, connection);
  }

  override handleError(error: Error, connection: Messages): void {
    if (this.named !== undefined) delete connection.submittedNamedStatements[this.named];
    super.handleError(error, connection);
  }
}

/**
 * A statement with `begin` before it, `commit` after it, or both, in one write: each write wakes the database, and each
 * answer the program. To the protocol they are one, up to one Sync: where one fails, Postgres skips those behind it. So
 * nothing is done outside of the transaction, and nothing is committed behind a statement that has failed.
 */
export const bracketedQuery = <Row extends QueryResultRow>(
  { name, text, values }: Statement,
  bracket: Bracket,
  told: Told<Row>,
): Query<Row> => new BracketedQuery(name, bracket, text, values, told) as unknown as Query<Row>;

function run(connection: Messages, text: string): void {
  connection.parse({ text });
  connection.bind({});
  connection.execute({});
}

/** Of a statement that cannot be sent the driver sends all but its `execute`: then nothing is committed. */
const committing = (connection: Messages): Messages =>
  Object.create(connection, {
    execute: {
      value(portal: object): void {
        connection.execute(portal);
        run(connection, 'commit');
      },
    },
  }) as Messages;
