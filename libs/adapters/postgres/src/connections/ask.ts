import { Query, type ClientBase, type QueryResult, type QueryResultRow } from 'pg';
import { bracketedQuery, type Bracket } from './bracketed-query';

/** With a name it is parsed once by each connection. */
export interface Statement {
  readonly name?: string;
  readonly text: string;
  readonly values?: readonly unknown[] | undefined;
}

export type Told<Row extends QueryResultRow> = (
  error: Error | undefined,
  result: QueryResult<Row>,
) => void;

/**
 * Asks as `client.query` does, but makes the driver's query itself: of each statement that it is given, the driver
 * makes a copy property by property, and what comes of that is slow to make and to read.
 */
export async function ask<Row extends QueryResultRow>(
  client: Pick<ClientBase, 'query'>,
  statement: Statement,
  bracket?: Bracket,
): Promise<QueryResult<Row>> {
  try {
    return await new Promise<QueryResult<Row>>((resolve, reject) => {
      const told: Told<Row> = (error, result) => (error ? reject(error) : resolve(result));
      const query = bracket
        ? bracketedQuery(statement, bracket, told)
        : plainQuery(statement, told);
      client.query(query);
    });
  } catch (error) {
    // The driver's own trace ends at the socket.
    if (error instanceof Error) Error.captureStackTrace(error);
    throw error;
  }
}

function plainQuery<Row extends QueryResultRow>(
  { name, text, values }: Statement,
  told: Told<Row>,
): Query<Row> {
  const query = new Query<Row>(text, values as unknown[] | undefined, told);
  if (name !== undefined) (query as Query<Row> & { name?: string }).name = name;
  return query;
}
