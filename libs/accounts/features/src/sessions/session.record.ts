import type { LoginMethod } from '@tender/contracts';
import type { Sql } from '@tender/eventing';

/** A session as it is kept. Times: milliseconds of business time. */
export interface SessionRow {
  readonly id: string;
  readonly merchant_id: string;
  /** SHA-256 of the token, hex. */
  readonly token_hash: string;
  readonly method: LoginMethod;
  readonly passkey_id: string | null;
  readonly client_sealed: string;
  readonly started_ms: number;
  readonly seen_ms: number;
  readonly ends_ms: number;
}

const COLUMNS = `id, merchant_id, token_hash, method, passkey_id, client_sealed,
  started_ms::float8 as started_ms, seen_ms::float8 as seen_ms, ends_ms::float8 as ends_ms`;

export async function insertSession(sql: Sql, row: SessionRow): Promise<void> {
  await sql.query(
    `insert into accounts.sessions (id, merchant_id, token_hash, method, passkey_id, client_sealed,
      started_ms, seen_ms, ends_ms) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      ...[row.id, row.merchant_id, row.token_hash, row.method, row.passkey_id, row.client_sealed],
      ...[row.started_ms, row.seen_ms, row.ends_ms],
    ],
  );
}

/** Null where there is none, or it was ended, or it is over. */
export async function findSession(sql: Sql, hash: string, now: number): Promise<SessionRow | null> {
  const [row] = await sql.query<SessionRow>(
    `select ${COLUMNS} from accounts.sessions
      where token_hash = $1 and ended_ms is null and ends_ms > $2`,
    [hash, now],
  );
  return row ?? null;
}

/** Of those that were not ended, newest first. */
export const sessionsOf = (sql: Sql, merchant_id: string, now: number): Promise<SessionRow[]> =>
  sql.query<SessionRow>(
    `select ${COLUMNS} from accounts.sessions
      where merchant_id = $1 and ended_ms is null and ends_ms > $2 order by started_ms desc, id desc`,
    [merchant_id, now],
  );

export async function writeSeen(sql: Sql, id: string, seen_ms: number): Promise<void> {
  await sql.query(
    'update accounts.sessions set seen_ms = greatest(seen_ms, $2) where id = $1',
    [id, seen_ms],
  );
}

/** Which of a merchant’s sessions are meant; `null` passes over a condition. */
export interface MeantSessions {
  readonly id?: string | null;
  readonly but?: string | null;
  readonly passkey_id?: string | null;
  readonly token_hash?: string | null;
}

/** Ends them, and answers how many there were that had not ended. */
export async function endSessions(
  sql: Sql,
  merchant_id: string,
  { id = null, but = null, passkey_id = null, token_hash = null }: MeantSessions,
  now: number,
): Promise<number> {
  const ended = await sql.query(
    `update accounts.sessions set ended_ms = $2
      where merchant_id = $1 and ended_ms is null and ends_ms > $2
        and ($3::text is null or id = $3) and ($4::text is null or id <> $4)
        and ($5::text is null or passkey_id = $5) and ($6::text is null or token_hash = $6)
      returning id`,
    [merchant_id, now, id, but, passkey_id, token_hash],
  );
  return ended.length;
}

/** Forgets those that were over before that time. */
export async function forgetSessions(sql: Sql, before: number): Promise<void> {
  await sql.query('delete from accounts.sessions where ends_ms < $1', [before]);
}
