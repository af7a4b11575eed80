/** Rows of a batch as the source of one statement, however many they are. */
export interface RowSource<Column extends string> {
  /** `a, b, c` */
  readonly columns: string;
  /** `$1::text[], …` */
  readonly parameters: string;
  /** `unnest($1::text[], …) as fresh (a, b, c)` */
  readonly sql: string;
  /** One array per column, for the parameters from the first on. */
  valuesOf(rows: readonly Readonly<Record<Column, unknown>>[]): unknown[][];
}

/**
 * Columns with their SQL types, to write many rows at once. Half the work for the database of a JSON
 * document that it has to take apart; values of a `json` column are JSON text.
 */
export function rowSource<Column extends string>(
  types: Readonly<Record<Column, string>>,
): RowSource<Column> {
  const names = Object.keys(types) as Column[];
  const columns = names.join(', ');
  const parameters = names.map((name, index) => `$${index + 1}::${types[name]}[]`).join(', ');
  return {
    ...{ columns, parameters },
    sql: `unnest(${parameters}) as fresh (${columns})`,
    valuesOf: (rows) => names.map((name) => rows.map((row) => row[name])),
  };
}
