import type { Sql } from '@tender/eventing';
import { NORM_PAYMENTS_MAX } from '@tender/fraud-domain';
import type { Mode } from '@tender/kernel';

/** Whose screenings they are. */
export interface Screened {
  readonly mode: Mode;
  readonly merchant_id: string;
}

const NEXT = `select merchant_id, mode from fraud.screenings where (merchant_id, mode) > ($1, $2)
  order by merchant_id, mode limit 1`;

/** In the order of the index; null: the first, or after the last. */
export async function nextScreened(sql: Sql, after: Screened | null): Promise<Screened | null> {
  const [next] = await sql.query<Screened>(NEXT, [after?.merchant_id ?? '', after?.mode ?? '']);
  return next ?? null;
}

/** A merchant’s norm is made of its newest payments, however old they are: these stay. */
const FORGET = `with norm as (
    select at_ms from fraud.screenings
    where merchant_id = $1 and mode = $2 and stage = 'create' and action <> 'block'
    order by at_ms desc offset ${NORM_PAYMENTS_MAX - 1} limit 1
  )
  delete from fraud.screenings where key in (
    select key from fraud.screenings
    where merchant_id = $1 and mode = $2 and at_ms <= $3
      and (stage <> 'create' or action = 'block' or at_ms < (select at_ms from norm))
    limit $4
  ) returning 1`;

/** Deletes at most so many that are not younger, and answers how many. */
export async function forgetOld(
  sql: Sql,
  { merchant_id, mode }: Screened,
  until_ms: number,
  rows_max: number,
): Promise<number> {
  return (await sql.query(FORGET, [merchant_id, mode, until_ms, rows_max])).length;
}

/** An amount is all that a norm needs: of those that stay, nothing of the customer does. */
const STRIP = `update fraud.screenings set ip_hash = null, email_hash = null
  where merchant_id = $1 and mode = $2 and at_ms <= $3
    and (ip_hash is not null or email_hash is not null)`;

export async function stripOld(
  sql: Sql,
  { merchant_id, mode }: Screened,
  until_ms: number,
): Promise<void> {
  await sql.query(STRIP, [merchant_id, mode, until_ms]);
}
