import type { KeyRing, Sql } from '@tender/eventing';
import type { Mode } from '@tender/kernel';
import { valueHash } from '../screen-payment/value-hash';

/** A customer of a merchant, as an operator names one. */
export interface ForgottenCustomer {
  readonly merchant_id: string;
  readonly mode: Mode;
  readonly email: string;
  /** Of payments that name the customer. */
  readonly payment_ids: readonly string[];
}

const FORGET = `update fraud.screenings set ip_hash = null, email_hash = null
  where merchant_id = $1 and mode = $2 and (email_hash = $3 or payment_id = any($4))
    and (ip_hash is not null or email_hash is not null) returning 1`;

/**
 * Takes the hashes of a customer from this merchant’s screenings: by them the customer could be told from others.
 * Scores and amounts stay. Answers how many screenings held one.
 */
export async function forgetCustomer(
  sql: Sql,
  keyRing: Pick<KeyRing, 'idBytes'>,
  { merchant_id, mode, email, payment_ids }: ForgottenCustomer,
): Promise<number> {
  const hash = valueHash(keyRing, 'email', email);
  return (await sql.query(FORGET, [merchant_id, mode, hash, payment_ids])).length;
}
