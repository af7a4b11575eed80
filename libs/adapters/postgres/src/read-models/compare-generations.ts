import {
  besideFollower,
  projectionFollower,
  readGenerations,
  savedPosition,
  generationTable,
  type Position,
  type ReplayLog,
  type Sql,
  type StreamMode,
} from '@tender/eventing';
import { foldMissing, liveOf, type OwnedProjection } from './generation-tables';
import type { PostgresReadModels } from './postgres-read-models';

/** Up to which event each of the two has heard. Null: it has heard none. */
export interface ComparedPositions {
  readonly live: Position | null;
  readonly other: Position | null;
}

/** What two tables of a projection have in common. Keys and names of columns, never what stands in them. */
export interface Comparison {
  readonly live_table: string;
  readonly other_table: string;
  readonly positions: Readonly<Partial<Record<StreamMode, ComparedPositions>>>;
  readonly rows_live: number;
  readonly rows_other: number;
  readonly only_live: number;
  readonly only_other: number;
  readonly different: number;
  /** In how many rows a column differs; those that differ in none are not named. */
  readonly columns: Readonly<Record<string, number>>;
  /** The first few of each kind, by key. */
  readonly first: {
    readonly only_live: readonly string[];
    readonly only_other: readonly string[];
    readonly different: readonly { readonly key: string; readonly columns: readonly string[] }[];
  };
}

const FIRST_MAX = 5;

/** No row is missing, surplus or different. */
export const isSame = ({ only_live, only_other, different }: Comparison): boolean =>
  only_live + only_other + different === 0;

/**
 * Compares a generation that is being built with the live one. Both are seen as they were at one moment, in which the
 * rows of the live one are those of its checkpoints; the other one is brought up to these first. The live one goes on
 * meanwhile, and takes no lock from this. Postgres does the work: no row comes here.
 */
export function compareGenerations(
  readModels: PostgresReadModels,
  log: ReplayLog,
  owned: OwnedProjection,
  generation: number,
): Promise<Comparison> {
  const { schema, projection } = owned;
  return readModels.transaction(async (tx) => {
    await tx.query('set transaction isolation level repeatable read');
    const { generation: live } = liveOf(await readGenerations(tx, schema, projection));
    const positions: Partial<Record<StreamMode, ComparedPositions>> = {};
    for (const mode of projection.modes) {
      const follower = besideFollower(projection.name, generation, mode);
      const until = await savedPosition(tx, schema, projectionFollower(projection.name, mode));
      const from = await savedPosition(tx, schema, follower);
      const reached = await foldMissing(tx, log, owned, { generation, mode, from, until });
      if (reached !== null && reached !== from) {
        await readModels.saveCheckpoint(tx, schema, follower, reached);
      }
      positions[mode] = { live: until, other: reached };
    }
    const live_table = generationTable(projection.table, live);
    const other_table = generationTable(projection.table, generation);
    const rows = await compareTables(tx, live_table, other_table);
    return { live_table, other_table, positions, ...rows };
  });
}

interface Column {
  readonly name: string;
  /** The same, as a statement names it. */
  readonly quoted: string;
  readonly is_json: boolean;
  readonly is_key: boolean;
}

const COLUMNS = `
  select a.attname as name, quote_ident(a.attname) as quoted, a.atttypid = 'json'::regtype as is_json,
    a.attnum = any(i.indkey) as is_key
  from pg_attribute a join pg_index i on i.indrelid = a.attrelid and i.indisprimary
  where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped order by a.attnum`;

type Rows = Omit<Comparison, 'live_table' | 'other_table' | 'positions'>;

async function compareTables(tx: Sql, live: string, other: string): Promise<Rows> {
  const all = await tx.query<Column>(COLUMNS, [live]);
  const columns = all.filter(({ is_key }) => !is_key);
  const compared = comparedRows(live, other, all);
  const counted = columns.map(
    ({ name }, place) => `count(*) filter (where '${name}' = any(columns))::float8 as column_${place}`,
  );
  const [counts = {}] = await tx.query<Record<string, number>>(
    `select ${[
      `count(*) filter (where found <> 'other')::float8 as rows_live`,
      `count(*) filter (where found <> 'live')::float8 as rows_other`,
      `count(*) filter (where found = 'live')::float8 as only_live`,
      `count(*) filter (where found = 'other')::float8 as only_other`,
      `count(*) filter (where columns <> '{}')::float8 as different`,
      ...counted,
    ].join(', ')} from (${compared}) as compared`,
  );
  const of = (name: string): number => counts[name] ?? 0;
  const first = async (which: string, there: number) =>
    there === 0
      ? []
      : await tx.query<{ key: string; columns: readonly string[] }>(
          `select key, columns from (${compared}) as compared where ${which}
            order by key collate "C" limit ${FIRST_MAX}`,
        );
  const keys = (rows: readonly { key: string }[]): string[] => rows.map(({ key }) => key);
  const differing = columns.map(({ name }, place) => [name, of(`column_${place}`)] as const);
  return {
    ...{ rows_live: of('rows_live'), rows_other: of('rows_other') },
    ...{ only_live: of('only_live'), only_other: of('only_other'), different: of('different') },
    columns: Object.fromEntries(differing.filter(([, rows]) => rows > 0)),
    first: {
      only_live: keys(await first(`found = 'live'`, of('only_live'))),
      only_other: keys(await first(`found = 'other'`, of('only_other'))),
      different: await first(`columns <> '{}'`, of('different')),
    },
  };
}

/** A row for each key: where it was found, and which columns differ where that is both. */
function comparedRows(live: string, other: string, all: readonly Column[]): string {
  const keys = all.filter(({ is_key }) => is_key).map(({ quoted }) => quoted);
  const key = keys.map((name) => `coalesce(l.${name}, o.${name})::text`).join(` || '/' || `);
  const differing = all
    .filter(({ is_key }) => !is_key)
    .map((column) => `case when ${differs(column)} then '${column.name}' end`);
  return `select ${key} as key,
      case when o.there is null then 'live' when l.there is null then 'other' else 'both' end as found,
      case when l.there and o.there
        then array_remove(array[${differing.join(', ')}]::text[], null) else '{}' end as columns
    from (select true as there, * from ${live}) l
      full join (select true as there, * from ${other}) o on ${keys.map((one) => `l.${one} = o.${one}`).join(' and ')}`;
}

/** In JSON the order of names says nothing: states that were folded at once and one by one may differ in it. */
function differs({ quoted, is_json }: Column): string {
  const [live, other] = [`l.${quoted}`, `o.${quoted}`];
  if (!is_json) return `${live} is distinct from ${other}`;
  return `(${live}::text is distinct from ${other}::text and ${live}::jsonb is distinct from ${other}::jsonb)`;
}
