import type { ReadModels, RowsByKey, Sql } from '@tender/eventing';
import { GatheredReads } from '../connections/gathered-reads';
import { plainName } from './service-schema';

interface Keyed {
  readonly schema: string;
  readonly key: string;
}

/** Schemas are plain names, so the first space ends them. */
const placeOf = ({ schema, key }: Keyed): string => `${schema} ${key}`;
const keyedOf = (place: string): Keyed => {
  const space = place.indexOf(' ');
  return { schema: place.slice(0, space), key: place.slice(space + 1) };
};

/**
 * What the followers of a process ask of their tables in one turn of the event loop, each under its key and in its
 * schema, is one statement: at rest all of them look at the same moment.
 */
export class GatheredRows<Row extends object> {
  private readonly reads: GatheredReads<string, Row & Keyed>;

  constructor(
    private readonly sql: Sql,
    private readonly rows: RowsByKey<Row>,
  ) {
    this.reads = new GatheredReads({ read: (places) => this.read(places), keyOf: placeOf });
  }

  async of(schema: string, key: string): Promise<readonly Row[]> {
    return this.reads.load(placeOf({ schema: plainName(schema), key }));
  }

  /** Schemas in order: the same ones make the same text, which is prepared once. */
  private read(places: readonly string[]): Promise<(Row & Keyed)[]> {
    const asked = Map.groupBy(places.map(keyedOf), ({ schema }) => schema);
    const schemas = [...asked.keys()].sort();
    const parts = schemas.map((schema, at) => {
      const rows = this.rows.select(schema, at + 1);
      return `select '${schema}' as schema, rows_${at}.* from (${rows}) as rows_${at}`;
    });
    const keys = schemas.map((schema) => asked.get(schema)?.map(({ key }) => key));
    return this.sql.query<Row & Keyed>(parts.join(' union all '), keys);
  }
}

/** One for each kind of rows that is asked for. */
export function gatheredRows(sql: Sql): ReadModels['rowsByKey'] {
  const kinds = new Map<unknown, GatheredRows<object>>();
  return <Row extends object>(rows: RowsByKey<Row>, schema: string, key: string) => {
    const kind = kinds.get(rows) ?? new GatheredRows<object>(sql, rows);
    kinds.set(rows, kind);
    return kind.of(schema, key) as Promise<readonly Row[]>;
  };
}
