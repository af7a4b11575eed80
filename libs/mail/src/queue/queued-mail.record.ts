import type { ReadModels, RowsByKey, Sql, StreamMode, StreamName } from '@tender/eventing';

/**
 * Why a mail is not sent at all. `not_needed`: no person is to be written to, or the key under which the address was
 * sealed is gone. `not_owed`: what it tells of is settled or over by now, or told by another mail.
 */
export type Dropped = 'not_needed' | 'not_owed';
export type MailStatus = 'queued' | 'sent' | 'refused' | 'given_up' | Dropped;

/** The table of a context’s mails: `billing.mails`. Each has its own; `mailsTable` makes it. */
export type MailTable = `${string}.mails`;

/** The name of the context, and of its schema. */
export const contextOf = (table: MailTable): string => table.slice(0, table.indexOf('.'));

/** A mail that is to be sent: what it is about. What it says and to whom is elsewhere, sealed. */
export interface QueuedMail {
  /** Of the private event or the record that it tells of: that makes one mail, whose Message-ID follows from this. */
  readonly event_id: string;
  /** Where it is found. */
  readonly stream: StreamName;
  readonly mode: StreamMode;
  readonly merchant_id: string;
  readonly correlation_id: string;
}

export interface ClaimedMail extends QueuedMail {
  /** With the one that is to be made. */
  readonly attempts: number;
}

/** What an attempt makes of a mail, as it is stored. */
export interface EndedAttempt {
  readonly event_id: string;
  readonly status: MailStatus;
  /** Business time (ms) of the next attempt; null when there is none. */
  readonly due_at: number | null;
  readonly attempted_at: number;
  /** Why it was not sent: for the operator, without an address and without what the mail says. */
  readonly detail: string | null;
}

/** What makes such a table. Times: `…_at` in milliseconds of business time, `lease_until` of wall time. */
export const mailsTable = (table: MailTable): readonly string[] => [
  // due_at: null when there is nothing to come. No address and no word of the mail.
  `create table ${table} (
    event_id text primary key,
    stream text not null,
    mode text not null,
    merchant_id text not null,
    correlation_id text not null,
    status text not null,
    attempts integer not null,
    due_at bigint,
    attempted_at bigint,
    detail text,
    lease_owner text,
    lease_until bigint,
    created_at bigint not null
  ) with (fillfactor = 80)`,
  `create index mails_due on ${table} (due_at, event_id) where due_at is not null`,
  `create index mails_leased on ${table} (lease_owner) where lease_owner is not null`,
];

/** Queues these mails in the transaction of what they tell of; one that is queued stays as it is. */
export async function queueMails(
  tx: Sql,
  table: MailTable,
  mails: readonly QueuedMail[],
  now: number,
): Promise<void> {
  await tx.query(
    `insert into ${table}
        (event_id, stream, mode, merchant_id, correlation_id, status, attempts, due_at, created_at)
      select event_id, stream, mode, merchant_id, correlation_id, 'queued', 0, $2, $2
      from jsonb_to_recordset($1::jsonb) as told
        (event_id text, stream text, mode text, merchant_id text, correlation_id text)
      on conflict (event_id) do nothing`,
    [JSON.stringify(mails), now],
  );
}

/** No sender has it, or has had it for too long; `wall` is SQL for a wall time, ms. */
const isFree = (wall: string): string => `(lease_owner is null or lease_until < ${wall})`;

export interface Claim {
  readonly owner: string;
  readonly mails_max: number;
  readonly now: number;
  readonly wall: number;
  readonly lease_ms: number;
}

/** Leases what is due: no other sender attempts it. An attempt counts from here on, whatever becomes of it. */
export const claimMails = (
  sql: Sql,
  table: MailTable,
  { owner, mails_max, now, wall, lease_ms }: Claim,
): Promise<ClaimedMail[]> =>
  sql.query<ClaimedMail>(
    `update ${table} set lease_owner = $2, lease_until = $3, attempts = attempts + 1
      where event_id = any(array(
        select event_id from ${table} where due_at <= $4 and ${isFree('$1')}
        order by due_at, event_id limit $5 for update skip locked
      )) returning event_id, stream, mode, merchant_id, correlation_id, attempts`,
    [wall, owner, wall + lease_ms, now, mails_max],
  );

/** Only the owner of the lease writes: a sender that has lost it to another one changes nothing. */
export async function recordAttempts(
  sql: Sql,
  table: MailTable,
  owner: string,
  ended: readonly EndedAttempt[],
): Promise<void> {
  await sql.query(
    `update ${table} mail set status = ended.status, due_at = ended.due_at,
        attempted_at = ended.attempted_at, detail = ended.detail, lease_owner = null, lease_until = null
      from jsonb_to_recordset($1::jsonb) as ended
        (event_id text, status text, due_at bigint, attempted_at bigint, detail text)
      where mail.event_id = ended.event_id and mail.lease_owner = $2`,
    [JSON.stringify(ended), owner],
  );
}

/** Forgets at most so many to which nothing more happens since before that time, and answers how many. */
export async function forgetMails(
  sql: Sql,
  table: MailTable,
  before: number,
  mails_max: number,
): Promise<number> {
  const forgotten = await sql.query(
    `delete from ${table} where event_id = any(array(
      select event_id from ${table} where due_at is null and attempted_at < $1
      limit $2 for update skip locked
    )) returning event_id`,
    [before, mails_max],
  );
  return forgotten.length;
}

/** Gives back what these owners hold: their processes are gone, or stop. */
export async function releaseMails(
  sql: Sql,
  table: MailTable,
  owners: readonly string[],
): Promise<void> {
  if (owners.length === 0) return;
  await sql.query(
    `update ${table} set lease_owner = null, lease_until = null where lease_owner = any($1)`,
    [owners],
  );
}

export async function mailLeaseOwners(sql: Sql, table: MailTable): Promise<readonly string[]> {
  const rows = await sql.query<{ owner: string }>(
    `select distinct lease_owner as owner from ${table} where lease_owner is not null`,
  );
  return rows.map(({ owner }) => owner);
}

/** Of each queue when the next attempt is due; the key is the wall time (ms) at which leases are over or not. */
const NEXT_DUE: RowsByKey<{ readonly due: number | null }> = {
  select: (schema, parameter) =>
    `select wall as key, (
       select min(due_at)::float8 from ${schema}.mails
        where due_at is not null and ${isFree('wall::bigint')}
     ) as due from unnest($${parameter}::text[]) as asked (wall)`,
};

/**
 * Business time (ms) of the next attempt that may be made; null when there is none. `wall` in milliseconds. Those who
 * ask at the same time ask one question.
 */
export async function nextMailDue(
  { rowsByKey }: Pick<ReadModels, 'rowsByKey'>,
  table: MailTable,
  wall: number,
): Promise<number | null> {
  const [row] = await rowsByKey(NEXT_DUE, contextOf(table), String(wall));
  return row?.due ?? null;
}
