import type { PublicEvent, Sql, StreamMode, StreamName } from '@tender/eventing';

/**
 * Why a mail is not sent at all. `not_needed`: no customer is to be written to, or the key under which the address was
 * sealed is gone. `not_owed`: what it asks for is paid or cancelled by now, or asked for by another mail.
 */
export type Dropped = 'not_needed' | 'not_owed';
export type MailStatus = 'queued' | 'sent' | 'refused' | 'given_up' | Dropped;

/** A mail that is to be sent: which event it tells of. What it says and to whom is in the log alone. */
export interface QueuedMail {
  /** The private event’s: it makes one mail at most, whose Message-ID follows from this. */
  readonly event_id: string;
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

const QUEUE = `insert into billing.mails
    (event_id, stream, mode, merchant_id, correlation_id, status, attempts, due_at, created_at)
  select event_id, stream, mode, merchant_id, correlation_id, 'queued', 0, $2, $2
  from jsonb_to_recordset($1::jsonb) as told
    (event_id text, stream text, mode text, merchant_id text, correlation_id text)
  on conflict (event_id) do nothing`;

/** Queues the mails of these facts, in the transaction that also holds the checkpoint: each is queued once. */
export async function queueMails(
  tx: Sql,
  facts: readonly PublicEvent[],
  now: number,
): Promise<void> {
  const rows = facts.map(({ causation_id, key, mode, merchant_id, correlation_id }) => ({
    ...{ event_id: causation_id, stream: key, mode, merchant_id, correlation_id },
  }));
  await tx.query(QUEUE, [JSON.stringify(rows), now]);
}

const FREE = '(lease_owner is null or lease_until < $1)';

const CLAIM = `update billing.mails set lease_owner = $2, lease_until = $3, attempts = attempts + 1
  where event_id = any(array(
    select event_id from billing.mails where due_at <= $4 and ${FREE}
    order by due_at, event_id limit $5 for update skip locked
  )) returning event_id, stream, mode, merchant_id, correlation_id, attempts`;

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
  { owner, mails_max, now, wall, lease_ms }: Claim,
): Promise<ClaimedMail[]> =>
  sql.query<ClaimedMail>(CLAIM, [wall, owner, wall + lease_ms, now, mails_max]);

// Only the owner of the lease writes: a sender that has lost it to another one changes nothing.
const RECORD = `update billing.mails mail set status = ended.status, due_at = ended.due_at,
    attempted_at = ended.attempted_at, detail = ended.detail, lease_owner = null, lease_until = null
  from jsonb_to_recordset($1::jsonb) as ended
    (event_id text, status text, due_at bigint, attempted_at bigint, detail text)
  where mail.event_id = ended.event_id and mail.lease_owner = $2`;

export async function recordAttempts(
  sql: Sql,
  owner: string,
  ended: readonly EndedAttempt[],
): Promise<void> {
  await sql.query(RECORD, [JSON.stringify(ended), owner]);
}

const RELEASE = `update billing.mails set lease_owner = null, lease_until = null
  where lease_owner = any($1)`;

/** Gives back what these owners hold: their processes are gone, or stop. */
export async function releaseMails(sql: Sql, owners: readonly string[]): Promise<void> {
  if (owners.length > 0) await sql.query(RELEASE, [owners]);
}

export async function mailLeaseOwners(sql: Sql): Promise<readonly string[]> {
  const rows = await sql.query<{ owner: string }>(
    'select distinct lease_owner as owner from billing.mails where lease_owner is not null',
  );
  return rows.map(({ owner }) => owner);
}

/** Business time (ms) of the next attempt that may be made; null when there is none. `wall` in milliseconds. */
export async function nextMailDue(sql: Sql, wall: number): Promise<number | null> {
  const [row] = await sql.query<{ due: number | null }>(
    `select min(due_at)::float8 as due from billing.mails where due_at is not null and ${FREE}`,
    [wall],
  );
  return row?.due ?? null;
}
