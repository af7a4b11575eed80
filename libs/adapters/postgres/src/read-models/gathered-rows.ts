import type { ReadModels, RowsByKey, Sql } from '@tender/eventing';
import { plainName } from './service-schema';

interface Keyed {
  readonly schema: string;
  readonly key: string;
}

/**
 * What the followers of a process ask of their tables in one turn of the event loop, each under its key and in its
 * schema, is one statement: at rest all of them look at the same moment.
 */
export class GatheredRows<Row extends object> {
  private asked: Asked<Row> | null = null;

  constructor(
    private readonly sql: Sql,
    private readonly rows: RowsByKey<Row>,
  ) {}

  async of(schema: string, key: string): Promise<readonly Row[]> {
    if (this.asked === null) {
      const asked = new Map<string, Set<string>>();
      const { promise: found, resolve } = Promise.withResolvers<readonly (Row & Keyed)[]>();
      this.asked = { asked, found };
      setImmediate(() => {
        this.asked = null;
        resolve(this.read(asked));
      });
    }
    const { asked, found } = this.asked;
    asked.set(plainName(schema), (asked.get(schema) ?? new Set()).add(key));
    const all = await found;
    return all.filter((row) => row.schema === schema && row.key === key);
  }

  /** Schemas in order: the same ones make the same text, which is prepared once. */
  private read(asked: ReadonlyMap<string, ReadonlySet<string>>): Promise<(Row & Keyed)[]> {
    const schemas = [...asked.keys()].sort();
    const parts = schemas.map((schema, at) => {
      const rows = this.rows.select(schema, at + 1);
      return `select '${schema}' as schema, rows_${at}.* from (${rows}) as rows_${at}`;
    });
    const keys = schemas.map((schema) => [...(asked.get(schema) ?? [])]);
    return this.sql.query<Row & Keyed>(parts.join(' union all '), keys);
  }
}

/** One for each kind of rows that is asked for. */
export function gatheredRows(sql: Sql): NonNullable<ReadModels['rowsByKey']> {
  const kinds = new Map<unknown, GatheredRows<object>>();
  return <Row extends object>(rows: RowsByKey<Row>, schema: string, key: string) => {
    const kind = kinds.get(rows) ?? new GatheredRows(sql, rows);
    kinds.set(rows, kind);
    return kind.of(schema, key) as Promise<readonly Row[]>;
  };
}

interface Asked<Row> {
  readonly asked: Map<string, Set<string>>;
  readonly found: Promise<readonly (Row & Keyed)[]>;
}
