import type { Sql } from '@tender/eventing';
import { invariant } from '@tender/kernel';

interface IndexRow {
  readonly name: string;
  readonly definition: string;
  readonly is_primary: boolean;
  /** Of the constraint that it serves; null for a mere index. */
  readonly constraint_definition: string | null;
}

const INDEXES = `
  select index.relname as name, pg_get_indexdef(i.indexrelid) as definition,
    i.indisprimary as is_primary, pg_get_constraintdef(c.oid) as constraint_definition
  from pg_index i join pg_class index on index.oid = i.indexrelid
    left join pg_constraint c on c.conindid = i.indexrelid and c.contype in ('p', 'u', 'x')
  where i.indrelid = $1::regclass order by index.relname`;

/** An empty table like `from`, with its primary key and no other index. Names are qualified. */
export async function copyTable(tx: Sql, from: string, to: string): Promise<void> {
  const [kept] = await tx.query<{ options: readonly string[] | null }>(
    'select reloptions as options from pg_class where oid = $1::regclass',
    [from],
  );
  const settings = kept?.options ? ` with (${kept.options.join(', ')})` : '';
  await tx.query(
    `create table ${to} (like ${from} including defaults including constraints including generated
      including identity including storage including compression)${settings}`,
  );
  const primary = (await indexesOf(tx, from)).find(({ is_primary }) => is_primary);
  invariant(primary, `${from} has a primary key: rows are written by it`);
  await addConstraint(tx, to, primary);
}

/** What `from` has beside the primary key, where `to` does not have it yet. */
export async function copyIndexes(sql: Sql, from: string, to: string): Promise<void> {
  const there = new Set((await indexesOf(sql, to)).map(({ name }) => name));
  for (const index of await indexesOf(sql, from)) {
    if (index.is_primary || there.has(nameFor(index, to))) continue;
    if (index.constraint_definition) await addConstraint(sql, to, index);
    else await sql.query(definitionFor(index, to));
  }
}

const indexesOf = (sql: Sql, table: string): Promise<IndexRow[]> => sql.query(INDEXES, [table]);

async function addConstraint(sql: Sql, to: string, index: IndexRow): Promise<void> {
  const { constraint_definition } = index;
  await sql.query(
    `alter table ${to} add constraint ${nameFor(index, to)} ${constraint_definition}`,
  );
}

/** `receipts_of_merchant` of `…_g1` is `receipts_of_merchant_g2` of `…_g2`. */
function nameFor({ name }: IndexRow, to: string): string {
  const generation = /_g\d+$/.exec(to)?.[0];
  invariant(generation, `${to} is the table of a generation`);
  return name.replace(/_g\d+$/, '') + generation;
}

function definitionFor(index: IndexRow, to: string): string {
  const parts = /^(CREATE (?:UNIQUE )?INDEX) \S+ ON (?:ONLY )?\S+ (.*)$/s.exec(index.definition);
  invariant(parts, `an index is defined as Postgres writes it: ${index.definition}`);
  return `${parts[1]} ${nameFor(index, to)} on ${to} ${parts[2]}`;
}
