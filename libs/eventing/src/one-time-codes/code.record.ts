import type { MailLanguage } from '../ports/mail';
import type { Sql } from '../ports/read-models';

/** The table of a context’s codes: `accounts.one_time_codes`. */
export type CodesTable = `${string}.one_time_codes`;

/** A code that was asked for, without the code. Times: milliseconds of business time. */
export interface CodeRow {
  readonly id: string;
  /** Whom or what it is for; says nothing of whether that exists. */
  readonly account: string;
  /** Of the mail that tells it. */
  readonly language: MailLanguage;
  readonly asked_ms: number;
  readonly ends_ms: number;
}

export const codesTable = (table: CodesTable): readonly string[] => [
  `create table ${table} (
    id text primary key,
    account text not null,
    language text not null,
    asked_ms bigint not null,
    ends_ms bigint not null,
    used_ms bigint
  )`,
  `create index one_time_codes_of_account on ${table} (account, asked_ms desc)`,
  `create index one_time_codes_by_age on ${table} (ends_ms)`,
];

const COLUMNS = 'id, account, language, asked_ms::float8 as asked_ms, ends_ms::float8 as ends_ms';

const OPEN = 'where account = $1 and used_ms is null and ends_ms > $2 order by asked_ms, id limit 1';

/** One that is nearly over would be so before its mail is read: another one takes its place. */
const LEFT_MS_MIN = 2 * 60_000;

/**
 * The account’s open code, or this one where it has none; its mails are in that language from now on. Those who ask at
 * the same moment wait for each other until the transaction ends: they share one code.
 */
export async function openedCode(tx: Sql, table: CodesTable, made: CodeRow): Promise<CodeRow> {
  const { id, account, language, asked_ms, ends_ms } = made;
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`${table} ${account}`]);
  await tx.query(
    `update ${table} set used_ms = $2::bigint
      where account = $1 and used_ms is null and ends_ms <= $2::bigint + $3::bigint`,
    [account, asked_ms, LEFT_MS_MIN],
  );
  await tx.query(
    `insert into ${table} (id, account, language, asked_ms, ends_ms)
      select $3::text, $1::text, $4::text, $2::bigint, $5::bigint
      where not exists (select 1 from ${table} ${OPEN})`,
    [account, asked_ms, id, language, ends_ms],
  );
  const [row] = await tx.query<CodeRow>(
    `update ${table} set language = $3 where id = (select id from ${table} ${OPEN})
      returning ${COLUMNS}`,
    [account, asked_ms, language],
  );
  // It was used up meanwhile: the next one is another code.
  return row ?? openedCode(tx, table, made);
}

/** Null where it has none that is not used and not over. */
export async function openCode(
  sql: Sql,
  table: CodesTable,
  account: string,
  now: number,
): Promise<CodeRow | null> {
  const [row] = await sql.query<CodeRow>(`select ${COLUMNS} from ${table} ${OPEN}`, [account, now]);
  return row ?? null;
}

/** False where it was used before, also at the same moment. */
export async function useUp(
  sql: Sql,
  table: CodesTable,
  id: string,
  now: number,
): Promise<boolean> {
  const used = await sql.query(
    `update ${table} set used_ms = $2 where id = $1 and used_ms is null and ends_ms > $2 returning id`,
    [id, now],
  );
  return used.length > 0;
}

export async function forgetOldCodes(sql: Sql, table: CodesTable, before: number): Promise<void> {
  await sql.query(`delete from ${table} where ends_ms < $1`, [before]);
}
