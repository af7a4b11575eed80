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
  readonly is_used: boolean;
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

const COLUMNS = `id, account, language, asked_ms::float8 as asked_ms, ends_ms::float8 as ends_ms,
  used_ms is not null as is_used`;

export async function insertCode(sql: Sql, table: CodesTable, row: CodeRow): Promise<void> {
  await sql.query(
    `insert into ${table} (id, account, language, asked_ms, ends_ms) values ($1, $2, $3, $4, $5)`,
    [row.id, row.account, row.language, row.asked_ms, row.ends_ms],
  );
}

export async function findCode(sql: Sql, table: CodesTable, id: string): Promise<CodeRow | null> {
  const [row] = await sql.query<CodeRow>(`select ${COLUMNS} from ${table} where id = $1`, [id]);
  return row ?? null;
}

/** The newest alone is good: who asks again has lost the one before. */
export async function newestCode(
  sql: Sql,
  table: CodesTable,
  account: string,
): Promise<CodeRow | null> {
  const [row] = await sql.query<CodeRow>(
    `select ${COLUMNS} from ${table} where account = $1 order by asked_ms desc, id desc limit 1`,
    [account],
  );
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
